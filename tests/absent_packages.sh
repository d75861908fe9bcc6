#!/bin/sh
# Usage: absent_packages.sh SOURCE. Without the optional packages CMake names each of them in one line, with what is off
# and what to install. The next build after that finds them.
set -eu
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
cmake --preset bare -B "$work/build" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
failed=0
while read -r line; do
    if [ "$(grep -cxF -- "-- $line" "$work/said")" -ne 1 ]; then
        echo "not said once: $line"
        failed=1
    fi
done <<'END'
MPI not found: stages on several ranks are off (Debian: apt install libopenmpi-dev openmpi-bin)
libpng not found: --mask and --pixels are off (Debian: apt install libpng-dev)
Cairo not found: --png and --plot are off (Debian: apt install libcairo2-dev)
OpenMP not found: stages on several threads are off (Debian, for clang: apt install libomp-dev)
The pages that compute are off: they lack emscripten python3>=3.9 (Debian: apt install emscripten python3)
The book is off: it lacks python3>=3.9 doxygen libjs-mathjax (Debian: apt install python3 doxygen libjs-mathjax)
END
[ $failed = 0 ] || cat "$work/said"

# Those of this machine, which CMake is to find in a folder that is not there yet.
cat >"$work/hide.cmake" <<'END'
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
END
configure() { # FOLDER
    cmake -B "$work/$1" -DLBM_BACKEND=cpu -DCMAKE_PREFIX_PATH="$work/prefix" -DMATHJAX= -DBUILD_TESTING=OFF \
        -DCMAKE_PROJECT_INCLUDE="$work/hide.cmake"
}
lacking() {
    grep -E ' (is|are) (off|left out)' "$work/said" || :
}
configure without >"$work/said"
lacking >"$work/before"
# Compilers that others stand beside: each of them, by itself, has CMake look again.
mkdir -p "$work/prefix/bin" "$work/prefix/cuda/bin"
for compiler in bin/gcc bin/nvcc cuda/bin/nvcc; do
    ln -s "$(command -v true)" "$work/prefix/$compiler"
    cmake --build "$work/without" --target commit >"$work/said" 2>&1
    grep -q 'Configuring done' "$work/said" || { echo "$compiler, installed later, is not found"; failed=1; }
done
rm -r "$work/prefix"
cmake --build "$work/without" --target commit >"$work/said" 2>&1
ln -s /usr "$work/prefix"
configure with >"$work/said"
lacking >"$work/present"
if ! cmp -s "$work/before" "$work/present"; then
    cmake --build "$work/without" --target commit >"$work/said" 2>&1
    grep -q 'Configuring done' "$work/said" && lacking | cmp - "$work/present" ||
        { echo 'packages installed later are not found:'; cat "$work/said"; failed=1; }
fi
exit $failed
