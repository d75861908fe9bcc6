#!/bin/sh
# Usage: labs/moments_16/study.sh BUILD_DIR OUT.csv [small|large]. What flows become if the moments of a cell are stored
# in few bits: on the CPU at small sizes, some half an hour on one core; on a GPU at large ones, some four minutes.
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

most="fp32 half half:chance fixed fixed:chance mixed:chance populations populations:chance fixed:third \
mixed:chance:third mixed:14-20-14 mixed:third:14-20-14 mixed:chance:14-20-14"
more="half:relative half:chance:relative fixed:relative fixed:chance:relative half:third half:fp32-density \
half:fp32-momentum half:fp32-stress fixed:fp32-density fixed:fp32-momentum fixed:fp32-stress"
table=$(mktemp "$out.XXXXXX")
trap 'rm -f "$table"' EXIT
trap 'exit 130' INT TERM HUP

try() { # FLOW SIDE RE SPEED STEPS STORAGE...: STEPS 0 is the flow's duration
    echo "study: $1 $2 at $(date -u +%H:%M:%S)" >&2
    "$program" "$@" >>"$table"
}

{
    echo "# command: labs/moments_16/study.sh BUILD_DIR OUT.csv $sizes"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$build/lbm" --version)"
    echo "# device: $("$build/lbm" bench 50_d3q19 --sizes 8 --repeat 1 | sed -n 's/^device *//p')"
    cat <<'HEAD'
# storage: populations in FP16S; half: scaled floats, 5 bits of exponent; fixed: fixed point; mixed: momentum fixed,
# density and stress half. 16 bits; or so many for density, each momentum, each stress. chance: rounded stochastically;
# relative: stresses less jj/rho; third: rounded in every third step; fp32-: not rounded
# error: L2 of the velocity against the solution; of the cube at Re 1000 its extrema against published ones
# distance: of the velocity from that of the flow's first storage, rms, and the largest, over speed
# energy: kinetic, of a cell at the end, over speed^2; mass: relative drift; momentum: drift over mass and speed
# loss: fastest fall of the energy, over speed^3 / length; the vortices at Re 1600 have 0.012855
flow,side,re,speed,steps,storage,error,distance,largest,energy,mass,momentum,loss
HEAD
} >"$table"
# shellcheck disable=SC2086
case $sizes in
small)
    try abc 32 0 0.05 0 $most $more
    try abc 48 0 0.05 0 $most
    try duct 34 0 0.05 0 $most $more
    try cube 34 100 0.1 0 $most
    try taylor_green_3d 64 1600 0.1 0 $most
    try taylor_green_3d 32 100 0.003125 0 $most mixed:third half:fp32-density half:fp32-momentum half:fp32-stress
    ;;
large)
    few='fp32 half fixed populations half:chance fixed:chance mixed:chance populations:chance'
    try duct 130 0 0.05 0 $few
    try cube 130 1000 0.1 50000 $few
    try taylor_green_3d 256 1600 0.05 0 $few
    ;;
esac
chmod 644 "$table"
mv "$table" "$out"
