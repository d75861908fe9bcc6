#!/bin/sh
# Usage: labs/record/record_ranks.sh BUILD_DIR OUT_DIR [plane|space] RANKS... Speeds of the stages that run on ranks, on
# so many GPUs each, one rank a GPU; without a word in the plane and in space. In the plane: grids of 8192 x 8192 and
# 16384 x 16384 cells for all of them (strong scaling), and 8192 x 8192 for each (weak scaling). In space: 256^3 and 384^3
# cells for all, and for each. Leaves OUT_DIR/ranks_N_strong.csv and ranks_N_weak.csv as it goes, in space
# space_N_strong_THROUGH.csv and space_N_weak_THROUGH.csv, where messages go through the host or from device to device, as
# the MPI library has it. At the end OUT_DIR/ranks_3d.csv has what all runs in space so far have left in OUT_DIR. What lies
# in LBM_MPIRUN starts the ranks; mpirun -n, if not given. (With Open MPI take "mpirun --bind-to none -n": else it binds
# each of two ranks to a single core, which can cost a quarter of the speed.)
set -eu
export LC_ALL=C

usage='usage: labs/record/record_ranks.sh BUILD_DIR OUT_DIR [plane|space] RANKS...'
build=${1:?$usage}
lbm=$build/lbm
out=${2:?$usage}
shift 2
parts='plane space'
case ${1:-} in plane | space)
    parts=$1
    shift
    ;;
esac
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
[ -x "$lbm" ] || { echo "record_ranks: $lbm is not there: build first" >&2; exit 3; }
for ranks in "$@"; do
    case $ranks in *[!0-9]* | 0* | '')
        echo "record_ranks: \"$ranks\" is no number of ranks; it takes integers from 1 on" >&2
        exit 2
        ;;
    esac
done
# The stages that run on ranks.
on_ranks() { # d2q9|d3q19
    awk -v where="built=yes needs=MPI lattice=$1" -f "$(dirname "$0")/stages.awk" "$build/stages.tsv"
}
in_plane=$(on_ranks d2q9)
in_space=$(on_ranks d3q19)
mkdir -p "$out"
# shellcheck disable=SC2086
bench() { # RANKS SIZES TABLE WORD...
    ranks=$1 sizes=$2 table=$out/$3
    shift 3
    echo "== $ranks ranks, $sizes -> $table"
    ${LBM_MPIRUN:-mpirun -n} "$ranks" "$lbm" bench "$@" --sizes "$sizes" --block 128x1 --repeat 3 --energy --csv "$table"
    ! grep -q 'device: NVML' "$table" || "$(dirname "$0")/compare_powers.sh" "$table"
}

# A bench in space, whose table then says how the messages went.
# shellcheck disable=SC2086
bench_in_space() { # RANKS SCALING OPTION...
    ranks=$1 scaling=$2
    shift 2
    bench "$ranks" 256,384 space.csv $in_space "$@"
    through=$(sed -n 's/^# ranks: .*, messages through the //p' "$out/space.csv")
    [ "$ranks" -gt 1 ] || through=none
    mv "$out/space.csv" "$out/space_${ranks}_${scaling}_$through.csv"
}

# Prints one table of all that was measured in space; the weak ones are compared with one GPU on its own part.
table_in_space() {
    cat "$out"/space_*.csv | grep -E '^# (date|commit|device|driver|compiler|flow|block|ranks|repeats): ' | sort -u
    echo '# watts, nj: of all GPUs together, and of an update, by the counters of energy'
    echo '# over_one: GLUPS over those of one GPU on the same grid; of a grid deeper than wide, over one GPU on a cube'
    echo 'stage,grid,ranks,through,glups,cv_percent,over_one,watts,nj'
    for file in "$out"/space_1_*.csv "$out"/space_[!1]*.csv "$out"/space_1[0-9]*_*.csv; do
        [ ! -e "$file" ] || grep -v '^[#s]' "$file" | sed "s/^/$(basename "$file" .csv | tr _ ,),/"
    done | awk -F, '
        $2 == 1 { one[$5, $6] = $11 }
        { depth = $3 == "weak" ? $2 * $6 : $6
          printf "%s,%dx%dx%d,%d,%s,%.2f,%.1f,%s,%s,%s\n", $5, $6, $6, depth, $2, $2 == 1 ? "-" : $4, $11 / 1e3, $14,
              one[$5, $6] ? sprintf("%.2f", $11 / one[$5, $6]) : "", $21 ? sprintf("%.0f", $21) : "",
              $23 ? sprintf("%.2f", $23) : "" }'
}

# shellcheck disable=SC2086
for ranks in "$@"; do
    for part in $parts; do
        case $part in
        plane)
            bench "$ranks" 8192,16384 "ranks_${ranks}_strong.csv" $in_plane
            [ "$ranks" -eq 1 ] || bench "$ranks" 8192 "ranks_${ranks}_weak.csv" $in_plane --weak
            ;;
        space)
            bench_in_space "$ranks" strong
            [ "$ranks" -eq 1 ] || bench_in_space "$ranks" weak --weak
            ;;
        esac
    done
done
case $parts in *space*) table_in_space >"$out/ranks_3d.csv" ;; esac
