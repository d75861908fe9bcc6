#!/bin/sh
# Usage: labs/record/check.sh BUILD_DIR FOLDER. Looks at the tables that record.sh takes of a device (bench_*.csv,
# branch_*.csv, energy.csv, phases.csv, tune_*.csv, profile*.csv, ablation*.csv, latency.csv, reductions.csv, runs.csv,
# webgpu.csv) or record_capsules.sh (capsule_*.csv), and at what its stages' results were (validate.txt). Prints one line
# for each thing that can't be true; the exit code is then 1. What the folder lacks is printed, too, and is no error.
set -eu
export LC_ALL=C

usage='usage: labs/record/check.sh BUILD_DIR FOLDER'
build=${1:?$usage}
folder=${2:?$usage}
folder=${folder%/}
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$folder" ] || { echo "check: $folder is no folder" >&2; exit 2; }
[ -x "$build/lbm" ] || { echo "check: $build/lbm is not there: build first" >&2; exit 3; }
case $folder in
/*) ;;
*) folder=./$folder ;; # awk takes x=y for an assignment
esac
[ -e "$folder/bench_poiseuille.csv" ] || { echo "$folder: no bench_poiseuille.csv, which record.sh takes"; exit 1; }
list=$(mktemp)
trap 'rm -f "$list"' EXIT
"$build/lbm" list >"$list"
TZ=UTC git -C "$here" log --all --date=format-local:%Y-%m-%d --format='commit %H %cd' >>"$list" 2>/dev/null || true

set -- "$build/stages.tsv" "$list"
for table in "$folder"/bench_*.csv "$folder"/branch_*.csv "$folder/energy.csv" "$folder/phases.csv" "$folder"/tune_*.csv \
    "$folder"/profile*.csv "$folder"/ablation*.csv "$folder/latency.csv" "$folder/reductions.csv" \
    "$folder/runs.csv" "$folder/webgpu.csv" "$folder"/capsule_*.csv "$folder/validate.txt"; do
    [ ! -e "$table" ] || set -- "$@" "$table"
done
# A commit of today is no older than what it holds, whatever the clock says.
today=$({ date -u +%Y-%m-%d; git -C "$here" log -1 --format=%cs 2>/dev/null; } | sort | tail -n 1)
code=0
awk -F, -v today="$today" -f "$here/check.awk" "$@" || code=1

[ -e "$folder/validate.txt" ] || echo "$folder lacks validate.txt: whether its stages are right is not known"
grep -qs '^# energy: .*\(limit\|RAPL\)' "$folder/energy.csv" ||
    echo "$folder lacks energy.csv, or its sensor: power limit and clock are not known"
exit $code
