#!/bin/sh
# Usage: diff_budget.sh SOURCE TABLE. Counts the lines that change from each stage to those that follow it (added and
# removed; comments, blanks and white space apart) and fails if a diff shows more than one idea's worth, a stage names
# itself, or is called a new program and keeps much, or keeps little and is not. TABLE is the build's stages.tsv, with paths from SOURCE on.
set -eu
export LC_ALL=C
table=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
failed=0
count=0

complain() {
    echo "$*"
    failed=1
}

sed 1d "$table" >"$work/stages"
while IFS="$(printf '\t')" read -r name solver follows agrees_with most rest; do
    count=$((count + 1))
    sed 's|//.*||' "$solver" >"$work/$name" 2>/dev/null || { complain "$name: can't read $solver"; continue; }
    ! grep -nwF -- "$name" "$solver" || complain "$solver names itself"
    [ "$follows" != - ] || continue
    [ -e "$work/$follows" ] || { complain "$name: there is no solver of $follows to compare with"; continue; }
    changed=$(diff -wB "$work/$follows" "$work/$name" | grep -cE '^[<>] *[^[:space:]]' || true)
    added=$(diff -wB "$work/$follows" "$work/$name" | grep -cE '^> *[^[:space:]]' || true)
    lines=$(grep -c '[^[:space:]]' "$work/$name")
    kept=$((100 - 100 * added / lines))
    if [ "$most" = - ]; then
        echo "$follows -> $name: a new program, which keeps $kept%"
        [ $kept -lt 40 ] || complain "$name: it keeps $kept% of its lines; a NEW_PROGRAM keeps less than 40%"
        continue
    fi
    [ $kept -ge 40 ] || complain "$name: it keeps $kept% of its lines, less than 40%: it is a NEW_PROGRAM"
    echo "$follows -> $name: $changed changed lines, at most $most"
    [ "$changed" -le "$most" ] || complain "$name: $changed lines are more than the $most of its DIFF"
done <"$work/stages"
[ $count -gt 0 ] || complain "there are no stages in $2"
exit $failed
