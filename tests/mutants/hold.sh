#!/bin/sh
# hold.sh SOURCE: whether each entry of mutants.txt still changes its file, without building anything.
set -eu
export LC_ALL=C
cd "${1:?usage: hold.sh SOURCE}"
list=tests/mutants/mutants.txt
sed '/^#/d' $list | awk -v RS= -v FS='\n' '{ print $2; print $3; print $1 }' | {
    stale=0
    while read -r file && IFS= read -r change && IFS= read -r name; do
        if sed "$change" "$file" | cmp -s - "$file"; then
            echo "$list: \"$name\" changes nothing in $file"
            stale=1
        fi
    done
    exit $stale
}
