#!/bin/sh
# Usage: labs/outflow/outflow.sh BUILD_DIR OUT_DIR. What two outflows do: the one that prescribes density 1 and the stream's
# velocity, and the one that takes the velocity from the fluid. Writes OUT_DIR/outflow.csv, a street in boxes of several
# lengths, and OUT_DIR/outflow_channel.csv, how long the drag in a channel goes up and down. Builds in BUILD_DIR, a new
# folder or the one of the time before; takes a minute or two, without a GPU.
set -eu
export LC_ALL=C

usage='usage: labs/outflow/outflow.sh BUILD_DIR OUT_DIR'
build=${1:?$usage}
out=${2:?$usage}
top=$(cd "$(dirname "$0")/../.." && pwd)
stage=12_cpu_pairs
script=outflow
. "$top/labs/copy.sh"
[ -d "$out" ] || { echo "outflow: $out is no folder" >&2; exit 2; }
copy_source outflows

# The program with a change to common/flow/flows.c.
make_program() { # OUTFLOW SCRIPT
    change common/flow/flows.c common/flow/flows.c -e "$2"
    {
        cmake -S "$build/source" -B "$build/$1" -DBUILD_TESTING=OFF -DLBM_BACKEND=cpu
        cmake --build "$build/$1" --target lbm -j "$(nproc)"
    } >"$build/log" 2>&1 || { echo "outflow: the copy can't be built, see $build/log" >&2; exit 1; }
}
make_program velocity 's/? OUTFLOW :/? OPEN :/'
make_program fluid 's/INFLOW : at.x == s->width - 1 ? OPEN/INFLOW : at.x == s->width - 1 ? OUTFLOW/'

# The number in a column of a line of the report.
number() { # LINE FIELD
    awk -v name="$1" -v field="$2" '$1 == name { print $field + 0 }' "$build/report"
}

{
    echo "# labs/outflow/outflow.sh: bodies at Re 100, 200 cells high, a circle of radius 10 at 99.5,99.5, $stage, 30000 steps"
    echo 'outflow,width,drag,lift,strouhal'
    for outflow in velocity fluid; do
        for width in 300 400 1000; do
            "$build/$outflow/lbm" run $stage bodies --size "${width}x200" --circle 99.5,99.5,10 --re 100 --steps 30000 \
                --sample 20 --forces "$build/forces.csv" >"$build/report"
            echo "$outflow,$width,$(number drag 5),$(number lift 9),$(number Strouhal 2)"
        done
    done
} >"$build/street.csv"
{
    echo "# labs/outflow/outflow.sh: channel_cylinder at Re 20, 222 x 43 cells, $stage; largest less smallest drag"
    echo 'outflow,from_step,to_step,spread'
    for outflow in velocity fluid; do
        "$build/$outflow/lbm" run $stage channel_cylinder --size 222x43 --re 20 --steps 24000 --sample 100 \
            --forces "$build/forces.csv" >"$build/report"
        for from in 3000 6000 12000; do
            awk -F, -v outflow=$outflow -v from=$from '$1 + 0 > from && $1 <= 2 * from {
                if (!n++ || $2 > high) high = $2
                if (n == 1 || $2 < low) low = $2
            } END { printf "%s,%d,%d,%.4f\n", outflow, from, 2 * from, high - low }' "$build/forces.csv"
        done
    done
} >"$build/channel.csv"
mv "$build/street.csv" "$out/outflow.csv"
mv "$build/channel.csv" "$out/outflow_channel.csv"
