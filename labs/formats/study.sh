#!/bin/sh
# Usage: labs/formats/study.sh BUILD_DIR EXPERIMENT reduced|full OUT_DIR. Does one experiment in all formats, into
# OUT_DIR/formats_EXPERIMENT.csv, with the samples behind it in OUT_DIR/samples, and draws its figure, OUT_DIR/
# formats_EXPERIMENT.svg, where Python is there. Experiments: channel exact_channel vortices street cavity.
set -eu
export LC_ALL=C

usage='usage: labs/formats/study.sh BUILD_DIR channel|exact_channel|vortices|street|cavity reduced|full OUT_DIR'
build=${1:?$usage}
experiment=${2:?$usage}
sizes=${3:?$usage}
out=${4:?$usage}
labs=$(dirname "$0")

case $experiment in
channel | exact_channel | vortices | street | cavity) ;;
*) echo "study: unknown experiment \"$experiment\"; there are channel exact_channel vortices street cavity" >&2; exit 2 ;;
esac
case $sizes in
reduced | full) ;;
*) echo "study: unknown set \"$sizes\"; there are reduced full" >&2; exit 2 ;;
esac
for program in formats formats_study_double formats_study; do
    [ -x "$build/$program" ] || { echo "study: $build/$program is not there: build first" >&2; exit 3; }
done
mkdir -p "$out/samples"
table=$(mktemp "$out/formats_$experiment.XXXXXX")
trap 'rm -f "$table"' EXIT
trap 'exit 130' INT TERM HUP

{
    echo "# command: labs/formats/study.sh BUILD_DIR $experiment $sizes OUT_DIR"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$build/formats" --version)"
    echo "# device: $("$build/formats" bench fp32 --sizes 64 --repeat 1 | sed -n 's/^device *//p')"
} >"$table"
"$build/formats_study_double" "$experiment" "$sizes" "$out/samples" >>"$table"
"$build/formats_study" "$experiment" "$sizes" "$out/samples" >>"$table"
chmod 644 "$table"
mv "$table" "$out/formats_$experiment.csv"
echo "$out/formats_$experiment.csv"
if command -v python3 >/dev/null; then
    figure=$out/formats_$experiment.svg
    python3 -B "$labs/../../docs/tools/figures.py" "$experiment" "$figure" "$out/formats_$experiment.csv"
    echo "$figure"
else
    echo 'study: there is no figure, because python3 is not there (Debian: apt install python3)' >&2
fi
