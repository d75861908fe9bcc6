#!/bin/sh
# Usage: tests/on_gpu.sh BUILD_DIR. What only a GPU can show: builds the CUDA backend, runs the tests on the device,
# and takes every stage through every flow under compute-sanitizer.
set -eu
build=$1
cd "$(dirname "$0")/.."

cmake -S . -B "$build" -DLBM_BACKEND=cuda
cmake --build "$build" -j "$(nproc)"
ctest --test-dir "$build" -j 4 -LE slow --output-on-failure

names() { # the first column of a table of `lbm list`
    "$build/lbm" list | awk -v head="$1" 'NF == 0 { inside = 0 } inside { print $1 } $1 == head { inside = 1 }'
}

for tool in memcheck initcheck; do
    for stage in $(names STAGE); do
        for flow in $(names SCENARIO); do
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
