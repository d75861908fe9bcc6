#!/bin/sh
# Usage: in_order.sh FOLDER FILE. Fails unless an exercise has its texts, no TODO stands in its solution, and its
# starter FILE differs from the solution at the TODOs alone: from a line with TODO(n) to the next blank line or
# the next line that is indented less.
set -eu
cd "$1"
starter=$2
solution=solution.${2##*.}
complaints=0

complain() {
    echo "$(basename "$PWD"): $*"
    complaints=1
}

for heading in 'You learn' 'Read first' 'Before you start' 'Task' 'Check'; do
    grep -q "^## $heading" README.md || complain "README.md lacks \"$heading\""
done
for hint in 1 2 3; do
    sed -n "/^## $hint/,/^## [^$hint]/{/^##/d;p}" hint.md | grep -q '[a-z]' || complain "hint $hint is missing"
done
grep -q 'TODO(1)' "$starter" || complain "$starter has no TODO(1): solved, or broken"

if [ -e "$solution" ]; then
    if grep -n TODO "$solution"; then
        complain "TODO in $solution"
    fi
    cut_out_todos='
        /TODO\([0-9]\)/ { if (!inside) print "@TODO"; inside = 1; match($0, /^ */); depth = RLENGTH; next }
        { match($0, /^ */) }
        inside && (/^ *$/ || RLENGTH < depth) { inside = 0 }
        !inside && !/^ *$/ { print }'
    rest=$(mktemp)
    awk "$cut_out_todos" "$starter" >"$rest"
    grep -v '^ *$' "$solution" | diff --minimal "$rest" - |
        awk '/^[0-9]/ { if (hunk && !todo) bad = bad hunk; hunk = ""; todo = 0 }
             { hunk = hunk $0 "\n" } /^< @TODO/ { todo = 1 }
             END { if (hunk && !todo) bad = bad hunk; printf "%s", bad; exit bad != "" }' ||
        complain "$starter differs from $solution beside its TODOs"
    rm -f "$rest"
fi
exit $complaints
