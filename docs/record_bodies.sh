#!/bin/sh
# Usage: docs/record_bodies.sh BUILD_DIR [STAGE]. Takes the tables of the page "Flow past a body" into docs/results:
# schaefer_turek.csv, unbounded_cylinder.csv, karman_street.csv. A few minutes on a GPU, hours on a CPU.
set -eu

build=${1:?usage: docs/record_bodies.sh BUILD_DIR [STAGE]}
stage=${2:-03_aa}
lbm=$(cd "$build" && pwd)/lbm
root=$(cd "$(dirname "$0")/.." && pwd)
results=$root/docs/results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"

# The number that follows a word in a line of the report that begins with a name.
number() { # NAME WORD
    awk -v name="$1" -v word="$2" '$1 == name { for (n = 1; n < NF; n++) if ($n == word) { print $(n + 1) + 0; exit } }' "$work/report"
}

channel() { # RE DIAMETER
    "$lbm" run "$stage" channel_cylinder --re "$1" --size $((22 * $2 + 2))x$((41 * $2 / 10 + 2)) \
        --forces "$work/forces.csv" >"$work/report"
}

table=$results/schaefer_turek.csv
echo "case,diameter,drag,lift,pressure,strouhal" >"$work/table"
for diameter in 10 20 40 80; do
    channel 20 $diameter
    echo "2D-1,$diameter,$(number drag last),$(number lift last),$(number pressure pressure)," >>"$work/table"
done
for diameter in 10 20 40; do
    channel 100 $diameter
    echo "2D-2,$diameter,$(number drag largest),$(number lift largest),,$(number Strouhal Strouhal)" >>"$work/table"
done
mv "$work/table" "$table"
cat "$table"

table=$results/unbounded_cylinder.csv
echo "width_over_diameter,blockage,drag" >"$work/table"
for width in 10 20 40 80; do
    centre=$(awk "BEGIN { print (20 * $width - 1) / 2 }")
    "$lbm" run "$stage" cylinder --size $((20 * width)) --circle "$centre,$centre,10" --re 20 \
        --forces "$work/forces.csv" >"$work/report"
    echo "$width,$(awk "BEGIN { print 1 / $width }"),$(number drag last)" >>"$work/table"
done
mv "$work/table" "$table"
cat "$table"

# Period and amplitude of the probe's velocity across the stream, over the last ten periods of a hundred or so.
table=$results/karman_street.csv
echo "stage,step,periods,period,amplitude" >"$work/table"
for each in "$stage" 04_aa_fp16s; do
    (cd "$work" && "$lbm" run "$each" bodies "@$root/showcases/karman_street.txt" --steps 210000 --quiet)
    awk -F, -v stage="$each" 'NR > 1 {
        if (was < 0 && $5 >= 0) {
            time[++count] = $1 - ($1 - before) * $5 / ($5 - was)
            high[count] = top; low[count] = bottom; top = -1; bottom = 1
        }
        if ($5 > top) top = $5
        if ($5 < bottom) bottom = $5
        was = $5; before = $1
    } END {
        for (n = count - 9; n <= count; n++) amplitude += (high[n] - low[n]) / 20
        printf "%s,%d,%d,%.2f,%.5f\n", stage, time[count], count - 1, (time[count] - time[count - 10]) / 10, amplitude
    }' "$work/karman_street.csv" >>"$work/table"
done
mv "$work/table" "$table"
cat "$table"
