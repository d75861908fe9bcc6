#!/bin/sh
# Usage: in_order.sh FOLDER [FILE [STAGE FUNCTION...]]. Fails unless an exercise has its texts, and if it has a starter,
# no TODO stands in its solution, and its starter FILE is the solution with holes: from a line with TODO(n) to the next
# blank line or the next line that is indented less. The functions named must be the stage's, so that a change
# there is not forgotten here (most solutions are links to a stage's solver and need no names).
set -eu
export LC_ALL=C
cd "$1"
starter=${2-}
stage=../../stages/${3:-none}/solver.cu
solution=solution.${starter##*.}
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
[ -n "$starter" ] || exit $complaints
grep -q 'TODO(1)' "$starter" || complain "$starter has no TODO(1): solved, or broken"

# What may not differ: of a form the names of the answers, of code what stands beside the holes.
fixed_part() {
    case $1 in
    *.txt) sed -n '/^#/d; s/ *=.*//p' "$1" ;;
    *) awk '/TODO\([0-9]\)/ { if (!inside) print "@TODO"; inside = 1; match($0, /^ */); depth = RLENGTH; next }
            { match($0, /^ */) }
            inside && (/^ *$/ || RLENGTH < depth) { inside = 0 }
            !inside && !/^ *$/ { print }' "$1" | tr -s ' ' ;; # as clang-format aligns comments
    esac
}
if [ -e "$solution" ]; then
    if grep -n TODO "$solution"; then
        complain "TODO in $solution"
    fi
    rest=$(mktemp)
    fixed_part "$starter" >"$rest"
    # The solution may only put lines in the place of a hole.
    if fixed_part "$solution" | diff --minimal "$rest" - | grep -E '^[0-9,]+[ad]|^< [^@]'; then
        complain "$starter differs from $solution beside its TODOs"
    fi
    rm -f "$rest"
fi

# The text of a function; 16-bit types and line breaks apart.
function_in() {
    awk "/^[A-Za-z].*[ *]$2\\(/ { inside = 1 } inside { print } inside && /^}/ { exit }" "$1" |
        sed 's/__half/uint16_t/g' | tr -s ' \n' ' '
}
if [ -e "$stage" ]; then
    shift 3
    for function in "$@"; do
        [ -n "$(function_in "$stage" "$function")" ] || complain "$stage has no function $function"
        [ "$(function_in "$stage" "$function")" = "$(function_in "$starter" "$function")" ] ||
            complain "$function() in $starter is not $stage's"
    done
fi
exit $complaints
