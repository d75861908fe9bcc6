#!/bin/sh
# Usage: labs/formats/record.sh BUILD_DIR OUT_DIR [PART...]. The laboratory's tables at full size, on a GPU, each part a
# few minutes: channel exact_channel vortices street cavity, and speed, which is that of every format with the shift at
# 4096 x 4096 and 8192 x 8192 cells in a closed box. Without names all of them.
set -eu
export LC_ALL=C

usage='usage: labs/formats/record.sh BUILD_DIR OUT_DIR [PART...]'
build=${1:?$usage}
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- channel exact_channel vortices street cavity speed
labs=$(dirname "$0")
for part in "$@"; do
    case $part in
    channel | exact_channel | vortices | street | cavity | speed) ;;
    *)
        echo "record: unknown part \"$part\"; there are channel exact_channel vortices street cavity speed" >&2
        exit 2
        ;;
    esac
done
for program in formats formats_double; do
    [ -x "$build/$program" ] || { echo "record: $build/$program is not there: build first" >&2; exit 3; }
done
mkdir -p "$out"

for part in "$@"; do
    echo "== $part"
    case $part in
    speed)
        for program in formats formats_double; do
            shifted=$("$build/$program" list | awk '$2 == "GPU" && $1 !~ /_w$/ { print $1 }')
            # shellcheck disable=SC2086
            "$build/$program" bench $shifted --scenario cavity --sizes 4096,8192 --block 128x1 --repeat 3 \
                --csv "$out/${program}_speed.csv"
        done
        ;;
    *) "$labs/study.sh" "$build" "$part" full "$out" ;;
    esac
done
