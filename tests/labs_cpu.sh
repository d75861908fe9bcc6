#!/bin/sh
# Usage: labs_cpu.sh BUILD_DIR LABS_CPU. Runs the scripts of labs/cpu on a small grid, without clang, and told wrong; and
# their programs, told wrong and with a stage that says whether subnormal results are flushed.
set -eu
export LC_ALL=C
build=$1
labs=$2
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.error" "$work.output"' EXIT
cd "$work"
unset OMP_NUM_THREADS OMP_THREAD_LIMIT # nproc obeys them

# EXIT_CODE WORDS COMMAND...: ends so, with one line that has these words, and leaves nothing behind.
ends() {
    code=$1 words=$2
    shift 2
    before=$(ls -l)
    got=0
    "$@" 2>"$work.error" >"$work.output" || got=$?
    [ $got -eq "$code" ] || { echo "$* ends with $got, not $code"; cat "$work.error"; exit 1; }
    [ "$(wc -l <"$work.error")" -eq 1 ] || { echo "$* says more than a line"; cat "$work.error"; exit 1; }
    grep -qF "$words" "$work.error" || { echo "$* says"; cat "$work.error"; exit 1; }
    [ "$before" = "$(ls -l)" ] || { echo "$* leaves something: $(ls -l)"; exit 1; }
}
refused() { # EXIT_CODE WORDS SCRIPT ARGUMENT...
    code=$1 words=$2 script=$3
    shift 3
    ends "$code" "$words" sh "$labs/$script" "$@"
}

mkdir folder
mkfifo pipe
for name in one_core threads moments cores space; do
    refused 2 'usage: labs/cpu/' $name.sh
    refused 2 'usage: labs/cpu/' $name.sh "$build"
    refused 2 'RUNS is "0"; it takes an integer from 1 to 1000' $name.sh "$build" out.csv 0
    refused 2 'RUNS is "few"' $name.sh "$build" out.csv few
    refused 2 'SIZE is "64x64"' $name.sh "$build" out.csv 1 64x64
    refused 3 'nowhere/stages.tsv is not there' $name.sh nowhere out.csv
done
for name in one_core threads moments cores space subnormals waves; do
    refused 2 'OUT is ""; it takes the path of a file' $name.sh "$build" ''
    refused 2 'OUT is "folder", which is no regular file; it takes one, or' $name.sh "$build" folder
    refused 2 'OUT is "pipe", which is no' $name.sh "$build" pipe
    refused 2 'OUT is "nowhere/out.csv"; it takes a path in a folder that is there' $name.sh "$build" nowhere/out.csv
done
refused 2 'OUT is "pipe", which is no' lbmpy.sh "$build" pipe venv
refused 2 '"2" is one argument too many; it takes one SIZE' cores.sh "$build" out.csv 1 64 1 2
refused 2 'CORES is "none"; it takes an integer from 1 to ' cores.sh "$build" out.csv 1 64 none
refused 2 "CORES is \"100000\"; it takes an integer from 1 to $(nproc)" cores.sh "$build" out.csv 1 64 100000
cores=$(nproc)
(export OMP_NUM_THREADS=100000; refused 2 "CORES is \"100000\"; it takes an integer from 1 to $cores" \
    cores.sh "$build" out.csv 1 64 100000)
refused 2 'usage: labs/cpu/waves.sh' waves.sh "$build"
refused 2 'ROUNDS is "few"' waves.sh "$build" out.csv few
refused 2 'usage: labs/cpu/subnormals.sh' subnormals.sh "$build"
refused 2 'SIZE is ""; it takes an integer from 3 to 65535' subnormals.sh "$build" out.csv ''
refused 2 'SIZE is "nan"; it takes an integer from 3 to 65535' subnormals.sh "$build" out.csv nan
refused 2 'STEPS is "0"' subnormals.sh "$build" out.csv 64 0
refused 2 'STEPS is "1000001"; it takes an integer from 1 to 1000000' subnormals.sh "$build" out.csv 64 1000001
refused 2 'PARTS is "1001"; it takes an integer from 1 to 1000' subnormals.sh "$build" out.csv 64 10 1001
refused 2 '"1" is one argument too many' subnormals.sh "$build" out.csv 64 10 2 1
refused 2 'usage: labs/cpu/lbmpy.sh' lbmpy.sh "$build" out.csv
refused 2 'RUNS is "many"' lbmpy.sh "$build" out.csv venv many
refused 2 'SIZE is "2"' one_core.sh "$build" out.csv 1 2
refused 2 'SIZE is "65536"; it takes an integer from 3 to 65535' one_core.sh "$build" out.csv 1 65536
refused 2 'SIZE is "1626"; it takes an integer from 3 to 1625' space.sh "$build" out.csv 1 1626

threaded() { awk -F '\t' '$1 == "13_cpu_threads" && $7 == "no" { exit 1 }' "$build/stages.tsv"; }
has_rows() { # TABLE COUNT: of clang
    for row in 32,00_cpu_aos,as_it_is 32,10_cpu_vectors,without_--param 32,12_cpu_pairs,as_it_is; do
        grep -qE "^$row,[1-9][0-9.]*,[0-9.]+$" "$1" || { echo "no row $row"; cat "$1"; exit 1; }
    done
    [ "$(grep -c clang "$1")" -eq "$2" ]
}

mkdir tools
IFS=:
for folder in $PATH; do
    ln -s "$folder"/* tools 2>/dev/null || true
done
unset IFS
rm -f tools/clang

# Each run compiles all variants. The one without clang is left to builds without OpenMP, and to machines without clang.
if command -v clang >/dev/null && threaded; then
    sh "$labs/one_core.sh" "$build" one_core.csv 1 32 >output
    has_rows one_core.csv 4
else
    PATH=$work/tools sh "$labs/one_core.sh" "$build" gcc_alone.csv 1 32 >output
    grep -q '^one_core: there is no clang: the rows' output
    has_rows gcc_alone.csv 0
fi
PATH=$work/tools sh "$labs/moments.sh" "$build" moments.csv 1 260 >output
for row in 260,260,12_cpu_pairs 260,260,moments 256,264,12_cpu_pairs 256,264,moments; do
    grep -qE "^$row,[a-z0-9.-]+,[1-9][0-9.]*,[0-9.]+,(48|72),[0-9.]+$" moments.csv ||
        { echo "no row $row"; cat moments.csv; exit 1; }
done
sh "$labs/space.sh" "$build" space.csv 1 16 >output
grep -qE '^12_cpu_pairs,256x256,[1-9][0-9.]*$' space.csv
grep -qE '^15_cpu_3d,16x16x16,[1-9][0-9.]*$' space.csv
sh "$labs/subnormals.sh" "$build" subnormals.csv 200 80 2
grep -qE '^12_cpu_pairs,160,[1-9][0-9.]*,[1-9][0-9.]*,[1-9][0-9.]*$' subnormals.csv || { cat subnormals.csv; exit 1; }
rm output

# The programs with stages 13 and 15, and with 13 where each row says whether a subnormal result is kept.
root=$(cd "$labs/../.." && pwd)
compile() { # NAME SOLVER
    with_team=
    ! threaded || with_team=-fopenmp
    "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")" -std=c17 -O2 -ffp-contract=off -I"$root/common" \
        -DSTAGE=stage -DSTAGE_NAME="\"$1\"" $with_team -fPIC -shared "$2" -o "$1.so"
}
compile 13 "$root/stages/13_cpu_threads/solver.c"
compile 15 "$root/stages/15_cpu_3d/solver.c"
cat >telling.c <<'END'
#include <stdio.h>
static void tell(void)
{
    volatile float f = 0x1p-126f;
    f *= 0.5f;
    fputs(f > 0.0f ? "kept\n" : "flushed\n", stderr);
}
END
sed '/^static void step(/,/^}/ s/^    for (int y .*{$/& tell();/' "$root/stages/13_cpu_threads/solver.c" >>telling.c
compile telling telling.c

# WORDS PROGRAM ARGUMENT...: what the 512 rows of each step say, in two threads, and of equal steps the first.
told() {
    words=$1 program=$2
    shift 2
    OMP_NUM_THREADS=2 LBM_REPEAT_MS=1 "$build/$program" "$@" 2>rows >output
    got=$(awk '
        $1 == "kept" { kept++ }
        NR % 512 == 0 { print kept == 512 ? "kept" : kept ? "both" : "flushed"; kept = 0 }' rows | uniq | tr '\n' ' ')
    [ "$got" = "$words " ] || { echo "results in $program $* are $got, not $words"; exit 1; }
    rm rows output
}
if [ "$(uname -m)" = x86_64 ]; then # a team begins with 512 x 512 cells
    told flushed one_run ./telling.so 512
    told flushed in_turns 512 1 ./telling.so ./telling.so
    told 'kept flushed kept flushed' over_steps ./telling.so 512 1 2
else
    echo 'subnormal results are flushed on x86 only: that they are is not tested'
fi

full() { "$@" >/dev/full; }
no_stage='it takes a library with a stage'
ends 2 "SOLVER is \"\"; $no_stage" "$build/one_run" '' 16
ends 2 "SOLVER is \"nowhere.so\"; $no_stage" "$build/over_steps" nowhere.so 16 1 1
ends 2 'SOLVER is "./15.so", a stage on D3Q19; it takes one on D2Q9' "$build/over_steps" ./15.so 16 1 1
ends 2 'SOLVER is "./15.so", a stage on D3Q19; it takes one on D2Q9' "$build/in_turns" 16 1 ./15.so
for size in '' ' 5' +5 -5 2 65536 1e3 nan 99999999999999999999; do
    ends 2 "SIZE is \"$size\"; it takes an integer from 3 to 65535" "$build/one_run" ./13.so "$size"
done
export LBM_REPEAT_MS=1
ends 3 "can't write to standard output" full "$build/one_run" ./13.so 16
ends 3 "can't write to standard output" full "$build/in_turns" 16 1 ./13.so
ends 3 "can't write to standard output" full "$build/over_steps" ./13.so 16 1 1
unset LBM_REPEAT_MS

if threaded; then
    sh "$labs/threads.sh" "$build" threads.csv 1 520 >output
    grep -qE '^520,default,1,(yes|no),[1-9][0-9.]*,[1-9][0-9.]*,[0-9.]+,[0-9.]+,[1-9][0-9.]*,[0-9.]+$' threads.csv
    grep -qE "^520,passive,$(nproc),yes," threads.csv
    sh "$labs/cores.sh" "$build" cores.csv 1 520 >output
    grep -qE '^1,([1-9][0-9.]*,){5}(core|path|memory),[1-9][0-9.]*,[0-9]+$' cores.csv
    grep -qE "^$(nproc)," cores.csv
    sh "$labs/waves.sh" "$build" waves.csv 1 520 >output
    for row in 1,12_cpu_pairs,as_it_is 1,14_cpu_waves,5_steps "$(nproc),14_cpu_waves,rows_anywhere"; do
        grep -qE "^520,$row,[1-9][0-9.]*,[1-9][0-9.]*,[0-9.]+,[0-9.]+$" waves.csv || { echo "no row $row"; exit 1; }
    done
else
    refused 3 'it takes one with OpenMP' cores.sh "$build" out.csv 1 520
    refused 3 'it takes one with OpenMP' threads.sh "$build" out.csv 1 520
    refused 3 'it takes one with OpenMP' waves.sh "$build" out.csv 1 520
fi
