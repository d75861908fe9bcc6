#!/bin/sh
# Usage: labs/record/record_bodies.sh BUILD_DIR [PART...]. Takes the tables of the page "Flow past a body" into
# labs/results/PART.csv. Parts: schaefer_turek flow_rate unbounded_cylinder karman_street; without a name all of them. Each
# takes some minutes on two cores; karman_street, with stages of the GPU, takes one.
set -eu
export LC_ALL=C

build=${1:?usage: labs/record/record_bodies.sh BUILD_DIR [PART...]}
shift
[ $# -gt 0 ] || set -- schaefer_turek flow_rate unbounded_cylinder karman_street
lbm=$(cd "$build" && pwd)/lbm
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=13_cpu_threads
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work"

# The number that follows a word in the line of the report that begins with a name; nothing if there is none.
number() { # NAME WORD
    awk -v name="$1" -v word="$2" \
        '$1 == name { for (n = 1; n < NF; n++) if ($n == word && $(n + 1) ~ /^[-+.0-9]/) { print $(n + 1) + 0; exit } }' report
}

channel() { # DIAMETER OPTION...
    size=$((22 * $1 + 2))x$((41 * $1 / 10 + 2))
    shift
    "$lbm" run $stage channel_cylinder --size $size "$@" >report
}

schaefer_turek() {
    echo "case,diameter,drag,lift,pressure,strouhal"
    for diameter in 10 20 40 80; do
        channel $diameter --re 20
        echo "2D-1,$diameter,$(number force drag),$(number force lift),$(number pressure pressure),"
    done
    for diameter in 10 20 40 80; do
        channel $diameter --re 100 --forces forces.csv
        echo "2D-2,$diameter,$(number drag largest),$(number lift largest),,$(number Strouhal Strouhal)"
    done
}

# Mean velocity and mass per step through columns of the channel, over what is prescribed.
flow_rate() {
    echo "u,mach_squared,column,velocity,mass"
    for u in 0.05 0.025 0.0125; do
        channel 10 --re 20 --u $u --csv cells.csv
        awk -F, -v u=$u '($1 == 10 || $1 == 111 || $1 == 220 || $1 == 221) && $2 > 0 && $2 < 42 {
            velocity[$1] += $4
            mass[$1] += $3 * $4
        } END {
            for (y = 1; y < 42; y++)
                prescribed += 1.5 * u * (1 - (2 * (y - 21) / 41) ^ 2)
            for (x = 0; x < 222; x++)
                if (x in velocity)
                    printf "%g,%.4f,%d,%.4f,%.4f\n", u, 3 * (1.5 * u) ^ 2, x, velocity[x] / prescribed, mass[x] / prescribed
        }' cells.csv
    done
}

unbounded_cylinder() {
    echo "width_over_diameter,blockage,drag"
    for width in 10 20 40 80; do
        centre=$(awk "BEGIN { print (20 * $width - 1) / 2 }")
        "$lbm" run $stage cylinder --size $((20 * width)) --circle "$centre,$centre,10" --re 20 >report
        echo "$width,$(awk "BEGIN { print 1 / $width }"),$(number force drag)"
    done
}

# Period and amplitude of the velocity across the stream at the probe, over the last ten periods.
karman_street() {
    echo "stage,step,periods,period,amplitude"
    for each in 03_aa 04_aa_fp16s; do
        "$lbm" run $each bodies "@$root/labs/showcases/karman_street.txt" --steps 130000 --pixels street.ppm --quiet
        awk -F, -v stage=$each 'NR > 1 {
            if (was < 0 && $5 >= 0) {
                time[++count] = $1 - ($1 - before) * $5 / ($5 - was)
                swing[count] = top - bottom
                top = bottom = 0
            }
            if ($5 > top) top = $5
            if ($5 < bottom) bottom = $5
            was = $5
            before = $1
        } END {
            for (n = count - 9; n <= count; n++)
                amplitude += swing[n] / 20
            period = (time[count] - time[count - 10]) / 10
            printf "%s,%d,%d,%.2f,%.5f\n", stage, time[count], count - 1, period, amplitude
        }' karman_street.csv
    done
}

mkdir -p "$root/labs/results"
for part in "$@"; do
    echo "== $part -> labs/results/$part.csv"
    case $part in
    schaefer_turek | flow_rate | unbounded_cylinder | karman_street)
        {
            echo "# command: labs/record/record_bodies.sh $build $part"
            echo "# date: $(date -u +%Y-%m-%d)"
            echo "# program: $("$lbm" --version)"
            [ $part = karman_street ] || "$lbm" bench $stage --sizes 64 --repeat 1 | sed -n 's/^host  */# host: /p'
            [ $part != karman_street ] || "$lbm" bench 03_aa --sizes 64 --repeat 1 | sed -n 's/^device  */# device: /p'
            $part
        } >"$part.csv.new"
        ;;
    *)
        echo "record_bodies: unknown part \"$part\"; there are schaefer_turek flow_rate unbounded_cylinder karman_street" >&2
        exit 2
        ;;
    esac
    cat "$part.csv.new"
    mv "$part.csv.new" "$root/labs/results/$part.csv"
done
