#!/bin/sh
# Usage: labs/cpu/lbmpy.sh BUILD OUT.csv FOLDER [RUNS [SIZE...]]. Stages 12 and 14 beside lbmpy, a generator of lattice
# Boltzmann kernels (https://lbmpy.readthedocs.io, GPL), which it installs from PyPI in a virtual environment in FOLDER,
# unless it is there, each on one core. All have one run after the other, RUNS times (default 3), at each SIZE (default 512 1024 4096).
set -eu
export LC_ALL=C
NAME=lbmpy
[ $# -ge 3 ] || { echo 'usage: labs/cpu/lbmpy.sh BUILD OUT.csv FOLDER [RUNS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 folder=$3 runs=${4-3}
shift $(($# < 4 ? 3 : 4))
[ $# -gt 0 ] || set -- 512 1024 4096
require_numbers RUNS "$runs"
require_numbers SIZE "$@"
prepare "$build" "$out"

python=$folder/bin/python
if ! "$python" -c 'import lbmpy, cpuinfo' 2>/dev/null; then
    python3 -m venv "$folder" >"$work/log" 2>&1 || fail 3 "python3 makes no virtual environment in $folder: $(tail -n 1 "$work/log")"
    "$python" -m pip install --quiet lbmpy py-cpuinfo >"$work/log" 2>&1 ||
        fail 3 "lbmpy can't be installed in $folder: $(grep -m 1 ERROR "$work/log" || tail -n 1 "$work/log")"
fi
flags=$(flags_of 12_cpu_pairs)
# shellcheck disable=SC2086
compile 12_cpu_pairs "$compiler" stages/12_cpu_pairs/solver.c $flags
# shellcheck disable=SC2046
compile 14_cpu_waves "$compiler" stages/14_cpu_waves/solver.c $(flags_of 14_cpu_waves) -fopenmp
export OMP_NUM_THREADS=1

for size in "$@"; do
    echo "lbmpy: $size x $size"
    "$python" "$root/labs/cpu/cavity_of_lbmpy.py" "$build/one_run" "$runs" "$size" "12_cpu_pairs=$work/12_cpu_pairs.so" "14_cpu_waves=$work/14_cpu_waves.so" \
        >>"$work/rows" 2>"$work/log" || fail 3 "at $size: $(tail -n 1 "$work/log")"
done

{
    head_lines "the cavity in stages 12 and 14 and in lbmpy's explicit SIMD kernels, on one core; the fastest of $runs runs, of which all had one after the other; MLUPS by the CPU time of the process"
    echo "# lbmpy: $("$python" -m pip list 2>/dev/null | awk '/^(lbmpy|pystencils) / { printf "%s%s %s", comma, $1, $2; comma = ", " }'), D2Q9, SRT, single precision, compiled by its own choice of flags (-Ofast -march)"
    echo "# 12_cpu_pairs, 14_cpu_waves: -O3 $flags; 14 with one thread"
    echo '# kernel_mlups: of its kernel alone, without the walls and what calling them from Python costs'
    echo "# command: labs/cpu/lbmpy.sh BUILD OUT.csv FOLDER $runs $*"
    echo 'size,program,streaming,equilibrium,mlups,kernel_mlups'
    cat "$work/rows"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
