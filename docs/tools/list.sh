#!/bin/sh
# Usage: list.sh, from the top of the repository. The pages of docs/pages.txt whose files are there: file, page, title and,
# of an exercise, its chapter: the page that its third line links, behind which it comes.
set -eu
export LC_ALL=C
tab=$(printf '\t')
sed -e '/^#/d' -e '/^$/d' docs/pages.txt | while read -r pattern page title; do
    for file in $pattern; do
        [ -e "$file" ] || continue
        name=$(basename "$(dirname "$file")")
        case $pattern in
        exercises/*/*) chapter=$(sed -n '3s|^[^(]*](../../\([^)]*\)).*|\1|p' "$file") ;;
        *) chapter= ;;
        esac
        case $pattern in
        *'*'*) set -- "${page%\*}$name" "${title%\*}$(sed -n '1s/^# //p' "$file")" ;;
        *) set -- "$page" "$title" ;;
        esac
        printf '%s\t%s\t%s\t%s\n' "$file" "$1" "$2" "$chapter"
    done
done | awk -F "$tab" '
    { line[NR] = $0; file[NR] = $1; chapter[NR] = $4; there[$1] = 1 }
    END {
        for (n = 1; n <= NR; n++) {
            if (chapter[n] in there)
                continue
            print line[n]
            for (m = 1; m <= NR; m++)
                if (chapter[m] == file[n])
                    print line[m]
        }
    }'
