#!/bin/sh
# Usage: tests/threads.sh BUILD_DIR. Builds the program with clang's thread sanitizer in BUILD_DIR; takes every stage
# that runs on all cores through every plane flow, with 2 and 3 threads and one more that writes files. Archer tells the
# sanitizer how OpenMP's threads wait for each other. Then it plants a race, which the sanitizer must find. (Debian: apt
# install clang libomp-dev)
set -eu
export LC_ALL=C
mkdir -p "${1:?usage: tests/threads.sh BUILD_DIR}"
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

lack() {
    echo "threads: $* (Debian: apt install clang libomp-dev)" >&2
    exit 3
}
command -v clang >/dev/null || lack 'clang, which has the thread sanitizer, is not there'
archer=$(clang -print-file-name=libarcher.so)
[ -e "$archer" ] || archer=$(dirname "$(dirname "$(clang -print-resource-dir)")")/libarcher.so
[ -e "$archer" ] || lack "libarcher.so, a part of clang's OpenMP, is not there"
echo 'int main(void) { return 0; }' >"$build/empty.c"
clang -fsanitize=thread -fopenmp "$build/empty.c" -o "$build/empty" 2>"$build/log" ||
    lack "clang can't link with -fsanitize=thread -fopenmp: $(head -n 1 "$build/log")"
export OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS='exitcode=66 ignore_noninstrumented_modules=1'

# The program of a tree.
build_in() { # FOLDER TREE
    rm -f "$1/lbm"
    {
        cmake -S "$2" -B "$1" -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS='-fsanitize=thread -g' -DLBM_BACKEND=cpu \
            -DBUILD_TESTING=OFF -Dcan_record=OFF
        cmake --build "$1" -j "$(nproc)" --target lbm
    } >"$build/log" 2>&1 || true
    [ -x "$1/lbm" ] || { echo "threads: the program does not build: $(tail -n 1 "$build/log")"; exit 1; }
}

# Whether a stage goes through a flow without a race, on a grid large enough for several threads.
is_clean() { # PROGRAM STAGE FLOW THREADS
    OMP_NUM_THREADS=$4 "$1/lbm" run "$2" "$3" --size 701x383 --tau 0.6 --steps 5 --vtk "$build/v.vti" --every 2 \
        --quiet >"$build/said" 2>&1
}

build_in "$build/clean" .
stages=$(awk -F '\t' '$7 == "yes" { print $1, $2 }' "$build/clean/stages.tsv" | while read -r stage solver; do
    ! grep -q '#pragma omp' "$solver" || echo "$stage"
done)
flows=$("$build/clean/lbm" list | awk 'on && $2 !~ /x.*x/ { print $1 } $1 == "SCENARIO" { on = 1 }')
[ -n "$stages" ] || lack 'no stage has threads, since CMake finds no OpenMP'
for stage in $stages; do
    for flow in $flows; do
        for team in 2 3; do
            is_clean "$build/clean" "$stage" "$flow" $team ||
                { echo "threads: $stage, $flow, $team threads: FAILED"; cat "$build/said"; exit 1; }
        done
        echo "threads: $stage, $flow: no race"
    done
done

rm -rf "$build/tree"
mkdir "$build/tree"
for part in CMakeLists.txt cmake common docs labs live stages; do
    cp -r $part "$build/tree"
done
solver=stages/13_cpu_threads/solver.c
sed 's/f\[link->to\] = f\[link->from\]/f[0] = &/' $solver >"$build/tree/$solver"
! cmp -s $solver "$build/tree/$solver" || { echo "threads: there is nowhere to plant a race in $solver"; exit 1; }
build_in "$build/planted" "$build/tree"
if is_clean "$build/planted" 13_cpu_threads cavity 2 || ! grep -q 'data race' "$build/said"; then
    echo 'threads: the planted race: NOT FOUND'
    exit 1
fi
echo 'threads: a planted race: found'
