#!/bin/sh
# Usage: check.sh CHECK. Runs the check of an exercise, and keeps beside it what it says, with the time when it began, and
# the sums of the exercise's files at that time.
# Behind DONE it names the page that follows on each path; off the paths, the page that the exercise belongs to.
set -eu
export LC_ALL=C
said=$1.said
page=exercises/${1##*/check_}/README.md
cd "$(dirname "$0")/.."
chapter=$(sed -n '3s|^[^(]*](../../\([^)]*\)).*|\1|p' "$page")

follows() { # PATH
    awk -f exercises/path.awk docs/main.md | awk -v path="$1" -v page="$page" -v chapter="$chapter" '
        $1 == path && $3 == page && $2 == "optional" { print chapter; exit }
        $1 == path && found { print $3; exit }
        $1 == path && $3 == page { found = 1 }'
}

name_page() { # WHICH FILE
    echo "Next page$1: $(sed -n '1s/^# //p' "$2") ($2)"
}

find "${page%/*}" -type f ! -name '*.md' -exec cksum {} + >"$said.begin"
"$1" | tee "$said"
touch -r "$said.begin" "$said"
case $(tail -n 1 "$said") in
DONE)
    lean=$(follows lean) full=$(follows full)
    if [ -n "$lean" ] && [ -n "$full" ] && [ "$lean" != "$full" ]; then
        name_page ' on the lean path' "$lean"
        name_page ' on the full path' "$full"
    else
        name_page '' "${lean:-${full:-$chapter}}"
    fi
    ;;
'NOT DONE'*) ;; # an answer, no error: make's lines about one would stand behind it
*) exit 1 ;;
esac
