#!/bin/sh
# Usage: record_bodies.sh BUILD_DIR SCRIPT. Takes the smallest table of labs/record/record_bodies.sh, whose third row is
# extrapolated from the two others, and tells the script wrong.
set -eu
export LC_ALL=C
build=$1
script=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# EXIT_CODE WORDS ARGUMENT...: ends so, with one line that has these words, and writes nothing.
refused() {
    code=$1 words=$2
    shift 2
    got=0
    sh "$script" "$@" >/dev/null 2>"$work/error" || got=$?
    [ $got -eq "$code" ] || { echo "$* ends with $got, not $code"; cat "$work/error"; exit 1; }
    [ "$(wc -l <"$work/error")" -eq 1 ] && grep -qF "$words" "$work/error" || { cat "$work/error"; exit 1; }
    [ -z "$(ls -A "$work/out")" ] || { echo "$* leaves something"; exit 1; }
}

mkdir "$work/out"
refused 2 'usage:'
refused 2 'usage:' "$build"
refused 2 'unknown part "street"; there are schaefer_turek_1' "$build" "$work/out" schaefer_turek_1 street
refused 2 'nowhere is no folder' "$build" "$work/nowhere"
refused 3 'lbm is not there' "$work" "$work/out"
SPHERES='8 0' refused 2 'SPHERES or HEIGHTS has "0"; they take integers from 2' "$build" "$work/out" sphere
DIAMETERS='10 15' refused 2 'DIAMETERS has "15"; it takes multiples of 10' "$build" "$work/out"

DIAMETERS=10 sh "$script" "$build" "$work/out" schaefer_turek_1 >/dev/null
awk -F, '
    function far(a, b, bound) { return !((a - b) ^ 2 <= bound ^ 2) }
    /^#/ { next }
    !rows++ { wrong = $0 != "diameter,u,drag,drag_off_percent,lift,pressure,pressure_off_percent"; next }
    { wrong += $1 != 10 || far($4, 100 * ($3 / 5.5795 - 1), 0.01) || far($7, 100 * ($6 / 2.938 - 1), 0.01) }
    rows < 4 { drag[$2] = $3; lift[$2] = $5; wrong += $2 != (rows == 2 ? 0.05 : 0.025); next }
    {
        wrong += $2 != 0 || far($3, (4 * drag["0.025"] - drag["0.05"]) / 3, 0.0001)
        wrong += far($5, (4 * lift["0.025"] - lift["0.05"]) / 3, 0.0001) || far($3, 5.85, 0.05)
    }
    END { exit wrong || rows != 4 }' "$work/out/schaefer_turek_1.csv" || { cat "$work/out/schaefer_turek_1.csv"; exit 1; }

SPHERES=3 HEIGHTS=3 sh "$script" "$build" "$work/out" sphere >/dev/null
stage=$(sed -n 's/^# device: .*, stage //p' "$work/out/sphere.csv")
"$build/lbm" run "$stage" sphere --size 30x9x9 --re 100 --u 0.266667 --steps 1080 >"$work/twice" 2>/dev/null
awk -F, -v steady="$(awk '$1 == "force" { print $3 + 0 }' "$work/twice")" '
    /^# command/ { wrong += !/SPHERES="3" HEIGHTS="3"/ }
    /^#/ { next }
    !rows++ { wrong += $0 != "diameter,height_over_diameter,u,drag,drag_off_percent"; next }
    { off = 100 * ($4 / 1.087 - 1); wrong += $1 != 3 || $2 != 3 || ($3 - 0.8 / 3) ^ 2 > 1e-10 || !($4 > 1.5 && $4 < 3) || ($5 - off) ^ 2 > 0.01 }
    { wrong += !(($4 - steady) ^ 2 < 0.001 ^ 2) } # twice as many steps do not change it
    END { exit wrong || rows != 2 }' "$work/out/sphere.csv" || { cat "$work/out/sphere.csv"; exit 1; }
