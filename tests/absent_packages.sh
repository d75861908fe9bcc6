#!/bin/sh
# Usage: absent_packages.sh SOURCE. Without the optional packages CMake names each of them in one line, with what is off
# and what to install.
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
The pages that compute are off: they lack emscripten python3 (Debian: apt install emscripten python3)
The book is off: it lacks python3 doxygen graphviz libjs-mathjax (Debian: apt install python3 doxygen graphviz libjs-mathjax)
END
[ $failed = 0 ] || cat "$work/said"
exit $failed
