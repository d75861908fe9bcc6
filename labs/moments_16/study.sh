#!/bin/sh
# Usage: labs/moments_16/study.sh BUILD_DIR OUT.csv [small|large]. What flows become if the moments of a cell are stored
# in few bits: on the CPU at small sizes, some half an hour on one core; on a GPU at large ones, some six minutes.
set -eu
export LC_ALL=C

usage='usage: labs/moments_16/study.sh BUILD_DIR OUT.csv [small|large]'
build=${1:?$usage}
out=${2:?$usage}
sizes=${3:-small}
program=$build/moments_16
[ -x "$program" ] || { echo "study: $program is not there: build first" >&2; exit 3; }
case $sizes in
small | large) ;;
*) echo "study: unknown set \"$sizes\"; there are small large" >&2; exit 2 ;;
esac

most="fp32 half half:chance fixed fixed:chance populations populations:chance fixed:third fixed:chance:third \
fixed:bits=19,20,13 fixed:chance:bits=19,20,13"
more="half:relative half:chance:relative fixed:relative fixed:chance:relative half:third half:fp32=density \
half:fp32=momentum half:fp32=stress fixed:fp32=density fixed:fp32=momentum fixed:fp32=stress"
table=$(mktemp "$out.XXXXXX")
trap 'rm -f "$table"' EXIT
trap 'exit 130' INT TERM HUP

try() { # FLOW SIDE RE SPEED STEPS STORAGE...: STEPS 0 is the flow's duration
    echo "study: $1 $2, $(date -u +%H:%M:%S)" >&2
    "$program" "$@" >>"$table"
}

{
    echo "# command: labs/moments_16/study.sh BUILD_DIR OUT.csv $sizes"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$build/lbm" --version)"
    echo "# device: $("$build/lbm" bench 50_d3q19 --sizes 8 --repeat 1 | sed -n 's/^device *//p')"
    echo "# storage: populations are FP16S; half: a float of 5 bits of exponent; fixed: fixed point; 16 bits unless bits=:"
    echo "# of density, of each momentum, of each stress; chance: rounded stochastically; relative: stresses less jj/rho;"
    echo "# third: rounded in every third step; fp32=: what stays in FP32"
    echo "# error: L2 of the velocity against the solution; of the cube at Re 1000 the extrema against Albensoeder & Kuhlmann"
    echo "# distance: of the velocity from the flow's first storage, root of the mean square and largest, over speed"
    echo "# energy: kinetic, of a cell at the end, over speed^2; mass: relative drift; momentum: drift, over mass times speed"
    echo "# loss: fastest fall of the energy, over speed^3 / length; taylor_green_3d at Re 1600 has 0.012855"
    echo "flow,side,re,speed,steps,storage,error,distance,largest,energy,mass,momentum,loss"
} >"$table"
# shellcheck disable=SC2086
case $sizes in
small)
    try abc 32 0 0.05 0 $most $more
    try abc 48 0 0.05 0 $most $more
    try duct 34 0 0.05 0 $most $more
    try cube 34 100 0.1 0 $most $more
    try taylor_green_3d 64 1600 0.1 0 $most $more
    ;;
large)
    try duct 130 0 0.05 0 $most
    try cube 130 1000 0.1 60000 $most
    try taylor_green_3d 256 1600 0.05 0 $most
    try taylor_green_3d 512 1600 0.05 0 fixed:chance
    ;;
esac
chmod 644 "$table"
mv "$table" "$out"
