#!/bin/sh
# Usage: paraview.sh LBM. What VTK's own reader, which is ParaView's, finds in the files for it: see paraview.py.
set -eu
export LC_ALL=C
script=$(cd "$(dirname "$0")" && pwd)/paraview.py
for python in "${PYTHON:-python3}" /usr/bin/python3 none; do
    [ "$python" = none ] || ! "$python" -c 'import vtkmodules.vtkIOXML' 2>/dev/null || break
done
[ "$python" != none ] || { echo 'skipped: Python lacks VTK (Debian: apt install python3-vtk9)'; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/paraview.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" run 00_cpu_aos channel_cylinder --size 66x22 --steps 50 --every 20 --vtk 'a & b.vti' --csv 'a & b.csv' \
    --checkpoint state.vti --quiet
"$python" "$script" plane
"$1" run 50_d3q19 abc --size 8 --steps 30 --vtk abc.vti --csv abc.csv --quiet
"$1" run 50_d3q19 duct --size 6x5x7 --steps 30 --vtk duct.vti --csv duct.csv --checkpoint state.vti --quiet
"$python" "$script" space
"$1" run 60_membrane capsule --size 32x48x16 --ca 0.2 --steps 60 --vtk capsule.vti --quiet
"$python" "$script" membrane
