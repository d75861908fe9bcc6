#!/bin/sh
# Usage: labs/cpu/one_core.sh BUILD OUT.csv [RUNS [SIZE...]]. The reference table of stages 00 and 10 to 12 on one core:
# as they are, up to 1024 x 1024 cells also with parts taken away and by other compilers. All have one run after the
# other, RUNS times (default 2), at each SIZE (default 256 512 1024 2048 4096), and the fastest counts.
set -eu
export LC_ALL=C
NAME=one_core
[ $# -ge 2 ] || { echo 'usage: labs/cpu/one_core.sh BUILD OUT.csv [RUNS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 runs=${3-2}
shift $(($# < 3 ? 2 : 3))
[ $# -gt 0 ] || set -- 256 512 1024 2048 4096
require_numbers RUNS "$runs"
require_numbers SIZE "$@"
prepare "$build" "$out"

stages='00_cpu_aos 10_cpu_vectors 11_cpu_in_place 12_cpu_pairs'
written_out=--param=max-completely-peeled-insns=4000
vectors=$(flags_of 10_cpu_vectors)
case $vectors in
*$written_out*) ;;
*) fail 3 "the build $build is by $compiler; it takes one by gcc" ;;
esac

# A variant of stage 10 with its source changed.
without() { # HOW SED FLAG...
    how=$1 change=$2
    shift 2
    sed "$change" "$root/stages/10_cpu_vectors/solver.c" >"$work/$how.c"
    ! cmp -s "$root/stages/10_cpu_vectors/solver.c" "$work/$how.c" || fail 1 "nothing in stage 10 is changed by $change"
    # shellcheck disable=SC2086
    add 10_cpu_vectors "$how" "$compiler" "$work/$how.c" $vectors "$@"
}

# Compiles a variant, and has it take part.
add() { # STAGE HOW COMPILER SOLVER FLAG...
    compile_as=$1-$2
    echo "$1 $2" >>"$work/variants"
    shift 2
    compile "$compile_as" "$@"
}

# What else than -march=native the processor can run.
add_vectors() { # HOW FLAG...
    how=$1
    shift
    # shellcheck disable=SC2046
    add 10_cpu_vectors "$how" "$compiler" stages/10_cpu_vectors/solver.c \
        $(echo "$vectors" | sed 's/-m[a-z]*=native//') "$@"
}

for stage in $stages; do
    # shellcheck disable=SC2046
    add "$stage" as_it_is "$compiler" "stages/$stage/solver.c" $(flags_of "$stage")
    # shellcheck disable=SC2046
    [ "$stage" != 12_cpu_pairs ] ||
        add "$stage" without_fusing "$compiler" "stages/$stage/solver.c" $(flags_of "$stage" | sed 's/-ffp-contract=fast//')
    [ "$stage" = 10_cpu_vectors ] || continue
    without without_the_7_lines 's/ + 7 \* 16//'
    without without_INDEPENDENT '/^ *INDEPENDENT$/d'
    without omp_simd_for_INDEPENDENT 's/^ *INDEPENDENT$/_Pragma("omp simd")/' -fopenmp-simd
    # shellcheck disable=SC2046
    add "$stage" without_--param "$compiler" "stages/$stage/solver.c" $(echo "$vectors" | sed "s/$written_out//")
    if [ "$(uname -m)" = x86_64 ]; then
        ! grep -q -m 1 avx2 /proc/cpuinfo || add_vectors vectors_of_8 -march=x86-64-v3
        add_vectors vectors_of_4
    fi
done
if command -v clang >/dev/null; then
    for stage in 10_cpu_vectors 11_cpu_in_place 12_cpu_pairs; do
        # shellcheck disable=SC2046
        add "$stage" clang clang "stages/$stage/solver.c" $(flags_of "$stage" | sed "s/$written_out/-Wno-pass-failed/")
    done
    clang="; $(clang --version | head -n 1)"
else
    clang=
    echo 'one_core: there is no clang: the rows of its programs are left out'
fi

for run_number in $(seq "$runs"); do
    echo "one_core: run $run_number of $runs"
    for size in "$@"; do
        while read -r stage how; do
            [ "$how" = as_it_is ] || [ "$size" -le 1024 ] || continue
            time_one "$size,$stage,$how" "$stage-$how" "$size"
        done <"$work/variants"
    done
done

{
    head_lines "the cavity, on one core; the fastest of $runs runs, of which all had one after the other; MLUPS by the CPU time of the process"
    echo "# compiled with: -O3 -ffp-contract=off $vectors; 12 with -ffp-contract=fast; 00 without the flags that follow -ffp-contract=off$clang"
    echo "# command: labs/cpu/one_core.sh BUILD OUT.csv $runs $*"
    echo 'size,stage,how,mlups,over_first'
    awk '
        !($1 in best) { keys[++count] = $1 }
        $2 > best[$1] { best[$1] = $2 }
        END {
            for (n = 1; n <= count; n++) {
                split(keys[n], key, ",")
                printf "%s,%.1f,%.2f\n", keys[n], best[keys[n]], best[keys[n]] / best[key[1] ",00_cpu_aos,as_it_is"]
            }
        }' "$work/measured"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
