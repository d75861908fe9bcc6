#!/bin/sh
# Usage: vortices_drawn.sh LBM SCRIPT. Whether labs/showcases/vortices.py draws a flow in space, and refuses what it
# can't draw. It needs a VTK that renders without a screen: 9.4 or later.
set -eu
export LC_ALL=C
for python in "${PYTHON:-python3}" /usr/bin/python3 none; do
    [ "$python" = none ] || ! "$python" -c 'import sys
from vtkmodules.vtkCommonCore import vtkVersion as v
sys.exit((v.GetVTKMajorVersion(), v.GetVTKMinorVersion()) < (9, 4))' 2>/dev/null || break
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/vortices.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [ "$python" = none ]; then
    echo 'skipped: Python lacks VTK 9.4 or later (pip install vtk)'
    exit 77
fi

refuses() { # REASON ARGUMENT...
    reason=$1
    shift
    if "$python" "$script" "$@" 2>error; then
        echo "drew $*"
        exit 1
    fi
    [ "$(wc -l <error)" -eq 1 ] && grep -qF "$reason" error || { echo "expected \"$reason\":"; cat error; exit 1; }
}

script=$2
"$1" run 50_d3q19 sphere --size 20x8x8 --steps 9 --vtk space.vti --quiet 2>/dev/null
"$1" run 00_cpu_aos cavity --size 9 --re 10 --steps 9 --vtk plane.vti --quiet
"$python" "$script" space.vti picture.png
head -c 8 picture.png | grep -q PNG
refuses "'plane.vti' has no q_criterion: it takes a flow in three dimensions" plane.vti other.png
refuses "can't read 'missing.vti'" missing.vti other.png
refuses "the Q criterion is 9 nowhere: it goes up to " space.vti other.png 9
refuses "Q is 'much', and takes a number" space.vti other.png much
refuses "Q is 'nan', and takes a number" space.vti other.png nan
refuses "Usage: vortices.py" space.vti
[ ! -e other.png ]
