#!/bin/sh
# Usage: labs/record/record_bodies.sh BUILD_DIR OUT_DIR [PART...]. Takes the tables of the page "Flow past a body" into
# OUT_DIR/PART.csv. Parts: schaefer_turek_1 schaefer_turek_2 flow_rate unbounded_cylinder karman_street sphere; without a
# name all of them. DIAMETERS are the sizes of schaefer_turek_1 and _2, "10 20 40 80" if it is not set; SPHERES, "4 8 16 32",
# and HEIGHTS, "4 6 8 12" diameters, those of sphere. On a GPU, stages 03_aa and 50_d3q19 run all of them; without one, stages
# of the CPU. There each part takes some minutes, but schaefer_turek_1 and _2 with 80 cells a diameter hours, karman_street,
# with stages of the GPU, too, and sphere (SPHERES=8 HEIGHTS=4: some seconds; SPHERES=16: half an hour).
set -eu
export LC_ALL=C

parts='schaefer_turek_1 schaefer_turek_2 flow_rate unbounded_cylinder karman_street sphere'
usage="usage: labs/record/record_bodies.sh BUILD_DIR OUT_DIR [PART...]"
build=${1:?$usage}
out=${2:?$usage}
shift 2
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $parts
for part in "$@"; do
    case " $parts " in
    *" $part "*) ;;
    *) echo "record_bodies: unknown part \"$part\"; there are $parts" >&2; exit 2 ;;
    esac
done
for diameter in ${DIAMETERS:=10 20 40 80}; do
    case $diameter in
    [1-9]0 | [1-9][0-9]0) ;;
    *) echo "record_bodies: DIAMETERS has \"$diameter\"; it takes multiples of 10 from 10 to 990" >&2; exit 2 ;;
    esac
done
: "${SPHERES:=4 8 16 32}" "${HEIGHTS:=4 6 8 12}"
for number in $SPHERES $HEIGHTS; do
    case $number in
    [2-9] | [1-9][0-9] | [1-9][0-9][0-9]) ;;
    *) echo "record_bodies: SPHERES or HEIGHTS has \"$number\"; they take integers from 2 to 999" >&2; exit 2 ;;
    esac
done
[ -d "$out" ] || { echo "record_bodies: $out is no folder" >&2; exit 2; }
[ -x "$build/lbm" ] || { echo "record_bodies: $build/lbm is not there: build first" >&2; exit 3; }
out=$(cd "$out" && pwd)
lbm=$(cd "$build" && pwd)/lbm
root=$(cd "$(dirname "$0")/../.." && pwd)
device=$("$lbm" bench 03_aa --sizes 64 --repeat 1 | sed -n 's/^device  *//p')
stage=03_aa
in_space=50_d3q19
case $device in
*emulator*)
    in_space=15_cpu_3d
    stage=$(awk -v where='built=yes' -f "$root/labs/record/stages.awk" "$build/stages.tsv" | grep '^1[23]_' | tail -n 1)
    ;;
esac
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

# The cylinder in the channel at two speeds, the second of them half of the first. An error that goes as the square of the
# speed is four times as large at the first; without it remains v(0.025) + (v(0.025) - v(0.05)) / 3, which is the row of
# speed 0. FUNCTION prints the values of a run; PUBLISHED are those of Schaefer & Turek, "-" for a value that is not compared.
two_speeds() { # FUNCTION PUBLISHED OPTION...
    values=$1
    published=$2
    shift 2
    for diameter in $DIAMETERS; do
        for u in 0.05 0.025; do
            channel "$diameter" --u $u "$@"
            echo "$diameter $u $($values)"
        done
    done | awk -v published="$published" -v wanted="$(echo "$DIAMETERS" | wc -w)" '
        function row(diameter, u, value,    n, line) {
            line = diameter "," u
            for (n = 1; n <= count; n++) {
                line = line "," sprintf("%.4f", value[n])
                if (known[n] != "-")
                    line = line "," sprintf("%.2f", 100 * (value[n] / known[n] - 1))
            }
            print line
        }
        BEGIN { count = split(published, known, " ") }
        NF != count + 2 { exit }
        {
            for (n = 1; n <= count; n++) {
                limit[n] = $(n + 2) + ($(n + 2) - was[n]) / 3
                was[n] = $(n + 2)
            }
            row($1, $2, was)
        }
        NR % 2 == 0 { row($1, 0, limit); done++ }
        END {
            if (done == wanted)
                exit
            print "record_bodies: a run at diameter, u = " $1 ", " $2 " lacks values" >"/dev/stderr"
            exit 1
        }'
}

steady_values() {
    echo "$(number force drag) $(number force lift) $(number pressure pressure)"
}

periodic_values() {
    echo "$(number drag largest) $(number lift largest) $(number Strouhal Strouhal)"
}

schaefer_turek_1() {
    echo "# case 2D-1; u = 0: extrapolated from the two speeds; off: from the published value"
    echo "diameter,u,drag,drag_off_percent,lift,pressure,pressure_off_percent"
    two_speeds steady_values "5.5795 - 2.938" --re 20
}

schaefer_turek_2() {
    echo "# case 2D-2, largest drag and lift; u = 0: extrapolated from the two speeds; off: from the published value"
    echo "diameter,u,drag,drag_off_percent,lift,lift_off_percent,strouhal,strouhal_off_percent"
    two_speeds periodic_values "3.227 0.987 0.3018" --re 100 --forces forces.csv
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

# A sphere at Re 100: with the speed go compressibility and, as its square, tau - 1/2 and the slip of the walls. From 40
# diameters of the stream on, the drag with 4 and 8 cells a diameter no longer changes in its fourth decimal.
sphere() {
    echo "# sphere at Re 100, when the stream has gone 48 diameters; off: from 1.087 (Clift, Grace & Weber 1978)"
    echo "diameter,height_over_diameter,u,drag,drag_off_percent"
    for diameter in $SPHERES; do
        for height in $HEIGHTS; do
            u=$(awk "BEGIN { print 0.8 / $diameter }")
            side=$((height * diameter))
            "$lbm" run $in_space sphere --size $((10 * diameter))x${side}x$side --re 100 --u "$u" \
                --steps $((60 * diameter * diameter)) >report
            drag=$(number force drag)
            echo "$diameter,$height,$u,$drag,$(awk "BEGIN { printf \"%.1f\", 100 * ($drag / 1.087 - 1) }")"
        done
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

for part in "$@"; do
    echo "== $part -> $out/$part.csv"
    {
        sizes="DIAMETERS=\"$DIAMETERS\""
        [ "$part" != sphere ] || sizes="SPHERES=\"$SPHERES\" HEIGHTS=\"$HEIGHTS\""
        echo "# command: $sizes labs/record/record_bodies.sh BUILD_DIR OUT_DIR $part"
        echo "# date: $(date -u +%Y-%m-%d)"
        echo "# program: $("$lbm" --version)"
        used=$stage
        [ "$part" != sphere ] || used=$in_space
        case $part:$device in
        karman_street:*) echo "# device: $device" ;;
        *:*emulator*) echo "# device: $("$lbm" bench $stage --sizes 64 --repeat 1 | sed -n '/^host/{s/^host *//p;q;}'), stage $used" ;;
        *) echo "# device: $device, stage $used" ;;
        esac
        $part
    } >"$part.csv"
    cat "$part.csv"
    cp "$part.csv" "$out/.$part.csv.new"
    mv "$out/.$part.csv.new" "$out/$part.csv"
done
