#!/bin/sh
# Usage: tests/on_gpu.sh BUILD_DIR. What only a GPU can show: builds the CUDA backend, runs the tests on the device,
# and takes every GPU stage through every flow under compute-sanitizer.
set -eu
mkdir -p "${1:?usage: tests/on_gpu.sh BUILD_DIR}"
command -v compute-sanitizer >/dev/null || { echo 'on_gpu: compute-sanitizer, part of the CUDA toolkit, is not there' >&2; exit 3; }
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

cmake -S . -B "$build" -DLBM_BACKEND=cuda
cmake --build "$build" -j "$(nproc)"
ctest --test-dir "$build" -j 4 -LE 'slow|exercises' --output-on-failure

stages=$("$build/lbm" list | awk '$1 == "STAGE" { on = 1 } NF == 0 { exit } on && $2 == "GPU" { print $1 }')
flows=$("$build/lbm" list | awk 'on { print $1 } $1 == "SCENARIO" { on = 1 }')

for tool in memcheck initcheck racecheck synccheck; do
    for stage in $stages; do
        for flow in $flows; do
            compute-sanitizer --tool $tool --error-exitcode 1 --log-file "$build/sanitizer.log" \
                "$build/lbm" run "$stage" "$flow" --size 37x53 --tau 0.6 --steps 21 --quiet || {
                echo "$tool: $stage $flow: FAILED"
                cat "$build/sanitizer.log"
                exit 1
            }
            echo "$tool: $stage $flow: clean"
        done
    done
done
