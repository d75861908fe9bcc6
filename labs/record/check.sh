#!/bin/sh
# Usage: labs/record/check.sh FOLDER. Looks at the speeds that record.sh took of a device (FOLDER/bench_*.csv,
# branch_*.csv and energy.csv, if bench wrote them) and at what its stages' results were (validate.txt). Prints one line
# for each thing that can't be true; the exit code is then 1. What the folder lacks is printed, too, and is no error.
set -eu
export LC_ALL=C

folder=${1:?usage: labs/record/check.sh FOLDER}
folder=${folder%/}
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$folder" ] || { echo "check: $folder is no folder" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
code=0

set --
for table in "$folder"/bench_*.csv "$folder"/branch_*.csv "$folder"/energy.csv; do
    case ${table##*/} in
    *_profile.csv) ;;
    branch_*) ! grep -q '^# command: lbm bench ' "$table" 2>/dev/null || set -- "$@" "$table" ;;
    *) [ ! -e "$table" ] || set -- "$@" "$table" ;;
    esac
done
[ -e "$folder/bench_poiseuille.csv" ] || { echo "$folder: no bench_poiseuille.csv, which record.sh takes"; exit 1; }

ls "$here/../../stages" >"$work/stages"
: >"$work/measured"
awk -F, -v measured="$work/measured" -f "$here/check.awk" "$work/stages" "$@" || code=1

validation=$folder/validate.txt
if [ -e "$validation" ]; then
    sort -u "$work/measured" | awk -v file="$validation" '
        FNR == NR { measured[$1]; next }
        /^[0-9a-z_]+: / { stage = substr($1, 1, length($1) - 1); seen[stage]; next }
        / ok([ ,]|$)/ { good[stage]++ }
        / FAIL([ ,]|$)/ { bad[stage]++ }
        END {
            for (stage in measured) {
                if (!(stage in seen))
                    say(stage " has a speed, but was not validated")
                else if (bad[stage] || !good[stage])
                    say(stage " has a speed, but validate rejects it")
            }
            exit failed
        }
        function say(text) { print file ": " text; failed = 1 }' - "$validation" || code=1
else
    echo "$folder lacks validate.txt: whether its stages are right is not known"
fi
grep -qs '^# energy: .*\(limit\|RAPL\)' "$folder/energy.csv" ||
    echo "$folder lacks energy.csv, or its sensor: power limit and clock are not known"
exit $code
