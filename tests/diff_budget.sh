#!/bin/sh
# Usage: diff_budget.sh STAGES. Counts the lines that change from stage to stage (added and removed; comments,
# blanks and white space apart) and fails if a diff shows more than one idea's worth, or a stage names itself.
set -eu
cd "$1"

strip() {
    sed -e 's|//.*||' "$1"
}

failed=0
previous=
for folder in [0-9][0-9]_*; do
    solver=$(ls "$folder"/solver.*)
    number=${folder%%_*}
    if grep -nE "${folder}|${folder#*_}|[Ss]tage_?$number" "$solver"; then
        echo "$solver names itself"
        failed=1
    fi
    case $number in
    01) budget=80 ;;
    02) budget=25 ;;
    03) budget=70 ;;
    04) budget=45 ;;
    *) budget=80 ;;
    esac
    if [ -n "$previous" ] && [ -n "$budget" ]; then
        strip "$previous" >"${TMPDIR:-/tmp}/lbm_diff_$$_a"
        strip "$solver" >"${TMPDIR:-/tmp}/lbm_diff_$$_b"
        count=$(diff -wB "${TMPDIR:-/tmp}/lbm_diff_$$_a" "${TMPDIR:-/tmp}/lbm_diff_$$_b" |
            grep -cE '^[<>] *[^[:space:]]' || true)
        rm -f "${TMPDIR:-/tmp}/lbm_diff_$$_a" "${TMPDIR:-/tmp}/lbm_diff_$$_b"
        echo "$previous -> $folder: $count changed lines, at most $budget"
        [ "$count" -gt 0 ] && [ "$count" -le "$budget" ] || failed=1
    fi
    previous=$solver
done
[ -n "$previous" ] || { echo "no stages in $1"; exit 1; }
exit $failed
