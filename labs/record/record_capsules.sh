#!/bin/sh
# Usage: labs/record/record_capsules.sh BUILD_DIR OUT_DIR [PART...]. Takes the tables of stages 60 to 63 on a GPU into
# OUT_DIR/PART.csv. Parts: capsule_shapes, capsule_runs and capsule_speed; without a name all of them. BOX, "128x192x64" if
# it is not set, is that of one capsule, MANY, "256x192x256", that of 100.
set -eu
export LC_ALL=C

parts='capsule_shapes capsule_runs capsule_speed'
usage='usage: labs/record/record_capsules.sh BUILD_DIR OUT_DIR [PART...]'
build=${1:?$usage}
out=${2:?$usage}
shift 2
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $parts
for part in "$@"; do
    case " $parts " in
    *" $part "*) ;;
    *) echo "record_capsules: unknown part \"$part\"; there are $parts" >&2; exit 2 ;;
    esac
done
[ -d "$out" ] || { echo "record_capsules: $out is no folder" >&2; exit 2; }
[ -x "$build/lbm" ] || { echo "record_capsules: $build/lbm is not there: build first" >&2; exit 3; }
lbm=$build/lbm
: "${BOX:=128x192x64}" "${MANY:=256x192x256}"
stages='60_membrane 61_same_bits 62_fewer_atomics 63_dependent_launch'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# A row of the report's numbers: steps, and microseconds each.
timed() { # STAGE FLOW SIZE OPTION...
    stage=$1 flow=$2 size=$3
    shift 3
    "$lbm" run "$stage" "$flow" --size "$size" --tau 1.5 --block 128x1 "$@" |
        awk '$1 == "steps" { for (n = 3; n <= NF; n++) if ($n == "s") print 1e6 * $(n - 1) / $2 }'
}

# The shapes of capsules, at four times the shear rate of Lehmann et al. 2022; the stiffest, at their rate: without bending it
# was unstable at the other.
capsule_shapes() {
    echo "# box $BOX; time: in units of 1 / shear rate; volume: of that at rest; angle: of a node"
    echo 'ca,shear_rate,time,deformation,inclination,volume,angle,force'
    shape 0.01 1.3e-5 5
    for ca in 0.05 0.1 0.025; do
        shape $ca 5.2e-5 5
    done
    for ca in 0.2 0.3 0.6 0.15; do # they take longer to their last shape
        shape $ca 5.2e-5 8
    done
}

shape() { # CA RATE TIME
    height=${BOX#*x}
    height=${height%x*}
    "$lbm" run 62_fewer_atomics capsule --size "$BOX" --tau 1.5 --ca "$1" --u "$(awk "BEGIN { print $2 * ($height - 2) / 2 }")" \
        --steps "$(awk "BEGIN { print int($3 / $2) }")" --sample "$(awk "BEGIN { print int(0.5 / $2) }")" \
        --block 128x1 --shape "$work/shape" --quiet >&2
    awk -F, -v ca="$1" -v rate="$2" '/^[0-9]/ { printf "%s,%s,%.2f,%s,%s,%s,%s,%s\n", ca, rate, $1 * rate, $2, $3, $4, $5, $6 }' "$work/shape"
}

# Ten runs: the last row of the time series, and a checksum of all its rows.
capsule_runs() {
    echo '# 64x96x32 cells, 2000 steps; checksum: of the time series'
    echo 'stage,run,deformation,inclination,volume,angle,force,checksum'
    for stage in $stages; do
        for run in 1 2 3 4 5 6 7 8 9 10; do
            "$lbm" run "$stage" capsule --size 64x96x32 --steps 2000 --sample 100 --shape "$work/shape" --quiet >&2
            sed '/^#/d' "$work/shape" >"$work/rows"
            echo "$stage,$run,$(tail -n 1 "$work/rows" | cut -d, -f2-),$(cksum <"$work/rows" | cut -d' ' -f1)"
        done
    done
}

# How long a step takes.
capsule_speed() {
    echo '# best of three; over_50: over the time of a step of 50, which has no membrane, in a duct'
    echo 'capsules,size,stage,us_step,over_50'
    for case in "1 $BOX 4000" "100 $MANY 400"; do
        # shellcheck disable=SC2086
        speeds $case
    done
}

speeds() { # CAPSULES SIZE STEPS
    for stage in 50_d3q19 $stages; do
        for run in 1 2 3; do
            case $stage in
            50*) timed "$stage" duct "$2" --steps "$3" ;;
            *) timed "$stage" capsule "$2" --steps "$3" --u 0.005 --capsules "$1" ;;
            esac
        done | sort -g | awk -v case="$1,$2,$stage" 'NR == 1 { print case "," $1 }'
    done | awk -F, '!first { first = $4 } { printf "%s,%.4f\n", $0, $4 / first }'
}

for part in "$@"; do
    {
        echo "# command: BOX=$BOX MANY=$MANY labs/record/record_capsules.sh BUILD_DIR OUT_DIR $part"
        echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        echo "# program: $("$lbm" --version)"
        echo "# device: $("$lbm" bench 50_d3q19 --sizes 32 --repeat 1 | sed -n 's/^device  *//p')"
        $part
    } >"$work/table"
    cp "$work/table" "$out/$part.csv"
    echo "$part: $(grep -c '^[^#]' "$out/$part.csv") lines in $out/$part.csv"
done
