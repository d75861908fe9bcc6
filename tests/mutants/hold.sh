#!/bin/sh
# hold.sh SOURCE: whether each entry of mutants.txt still changes its file, without building anything.
set -eu
export LC_ALL=C
cd "${1:?usage: hold.sh SOURCE}"
list=tests/mutants/mutants.txt tab=$(printf '\t')
awk -f tests/mutants/entries.awk $list | {
    stale=0
    while IFS=$tab read -r name file change tests; do
        if sed "$change" "$file" | cmp -s - "$file"; then
            echo "$list: \"$name\" changes nothing"
            stale=1
        fi
    done
    exit $stale
}
