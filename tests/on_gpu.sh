#!/bin/sh
# Usage: tests/on_gpu.sh BUILD_DIR [tests] [sanitizers]. What only a GPU can show: builds the CUDA backend, runs the tests
# on the device, and takes every GPU stage through every flow under compute-sanitizer; without a word, both.
set -eu
export LC_ALL=C
mkdir -p "${1:?usage: tests/on_gpu.sh BUILD_DIR [tests] [sanitizers]}"
command -v compute-sanitizer >/dev/null || { echo 'on_gpu: compute-sanitizer, part of the CUDA toolkit, is not there' >&2; exit 3; }
build=$(cd "$1" && pwd)
shift
parts=${*:-tests sanitizers}
for part in $parts; do
    case $part in
    tests | sanitizers) ;;
    *) echo "on_gpu: unknown part \"$part\"; there are tests sanitizers" >&2; exit 2 ;;
    esac
done
cd "$(dirname "$0")/.."

cmake -S . -B "$build" -DLBM_BACKEND=cuda
cmake --build "$build" -j "$(nproc)"
cmake --build "$build" -j "$(nproc)" --target course lbm_tiling
failed=
case $parts in *tests*) ctest --test-dir "$build" -j 4 -LE 'slow|exercises' --output-on-failure || failed=tests ;; esac
case $parts in *sanitizers*) ;; *) [ -z "$failed" ]; exit ;; esac

stages=$("$build/lbm" list | awk '$1 == "STAGE" { on = 1 } NF == 0 { exit } on && $2 == "GPU" { print $1 }')
flows=$("$build/lbm" list | awk 'on { print $1 } $1 == "SCENARIO" { on = 1 }')
short='--tau 0.6 --steps 21 --quiet'
: >"$build/sanitized"

# Runs a command under each of the tools; ends at the first that complains.
sanitize() { # NAME COMMAND...
    name=$1 log=$(mktemp "$build/sanitizer.XXXXXX")
    shift
    for tool in memcheck initcheck racecheck synccheck; do
        compute-sanitizer --tool $tool --error-exitcode 1 --log-file "$log" "$@" >"$log.said" 2>&1 || {
            echo "$tool: $name: FAILED"
            cat "$log.said" "$log"
            exit 1
        }
    done
    rm "$log" "$log.said"
    echo "sanitizers: $name: clean"
}

# Every stage that takes the flow, on a grid of the plane or of space; 2 is the exit code of what is refused.
# shellcheck disable=SC2086
sanitize_flow() { # FLOW
    for stage in $stages exercise_tiling; do
        program=$build/lbm
        [ $stage != exercise_tiling ] || program=$build/lbm_tiling
        for size in 37x53 23; do
            code=0
            "$program" run "$stage" "$1" --size $size $short >/dev/null 2>&1 || code=$?
            [ $code -ne 2 ] || continue
            sanitize "$stage $1 $size" "$program" run "$stage" "$1" --size $size $short
            echo "$stage" >>"$build/sanitized"
            break
        done
    done
}

running=
for flow in $flows; do
    sanitize_flow "$flow" &
    running="$running $!"
done
for process in $running; do
    wait "$process" || failed=sanitizers
done
for stage in $stages exercise_tiling; do
    grep -qx "$stage" "$build/sanitized" || { echo "no flow of $stage was sanitized"; failed=sanitizers; }
done
[ -z "$failed" ] || exit 1
sanitize 'blocks of threads' "$build/test_blocks"
sanitize 'lanes' "$build/test_lane"
