#!/bin/sh
# Usage: compilers.sh SOURCE C_COMPILER. Flags under which checks for NaN always pass are refused. And whatever the
# compiler and the flags of a build, recorded code is the same machine code, so that `lbm traffic` counts the same.
set -eu
export LC_ALL=C
unset CFLAGS
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

# ---- Checks for NaN ----
cd "$source"
for file in $(grep -lE 'isnan|isfinite' common/result/*.c common/studies/*.c common/program/*.c) stages/*/solver.c*; do
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        "$2" $flag -x c -I common -E "$file" >"$work/text" 2>"$work/said" || true
        grep -q 'error: .*-ffast-math' "$work/said" || complain "$file: $flag is not refused"
    done
done
cd "$work"

# ---- Recorded code ----
command -v gcc >/dev/null || { echo "recorded code is not looked at: gcc is not there"; exit $failed; }
ln -s "$source/common" common
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(recorded C)
include("$source/cmake/recorder.cmake")
if(can_record)
    add_recorded(kernels "$source/tests/recorded_kernels.cu")
endif()
END

configure() { # NAME COMPILER OPTION...
    build=$1 compiler=$2
    shift 2
    cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$compiler" "$@" >"$build.said" 2>&1 ||
        { complain "$build: it is not configured"; cat "$build.said"; }
}

# The machine code of the recorded kernels.
compile() { # NAME COMPILER OPTION...
    configure "$@"
    cmake --build "$1" --target recorded_kernels >"$1.said" 2>&1 || { complain "$1: it is not built"; cat "$1.said"; }
    objcopy -O binary --only-section=.text "$1"/CMakeFiles/recorded_kernels.dir/*.o "$1.text" || true
}

is_the_same() { # NAME COMPILER OPTION...
    compile "$@"
    cmp -s gcc.text "$1.text" || complain "$1: the recorded code is not what gcc makes of it by itself"
}

is_off() { # NAME COMPILER OPTION...
    configure "$@"
    [ "$(grep -c '^-- lbm traffic is off: it takes gcc' "$1.said")" -eq 1 ] ||
        { complain "$1: CMake did not say that lbm traffic is off"; cat "$1.said"; }
}

compile gcc gcc
[ -s gcc.text ] || complain 'the recorded code is empty'
is_the_same flto gcc -DCMAKE_C_FLAGS=-flto
is_off address gcc -DCMAKE_C_FLAGS=-fsanitize=address
for clang in clang $(find /usr/bin -name 'clang-[1-9][0-9]' | sort | tail -n 1); do
    command -v "$clang" >/dev/null || continue
    is_the_same "${clang##*/}" "$clang" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
done
if command -v clang >/dev/null; then
    is_off without_gcc clang -DGCC=/none/gcc
    is_off called_gcc clang -DGCC=clang
fi
exit $failed
