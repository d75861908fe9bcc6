#!/bin/sh
# Usage: test_study.sh BUILD_DIR EXPERIMENT... Each makes a table of all stages, without a GPU the one in labs/results;
# mistakes end in one line.
set -eu
export LC_ALL=C
labs=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stages=$(($("$build/formats" list | grep -c ' GPU ') + $("$build/formats_double" list | grep -c ' GPU ')))
for experiment in "$@"; do
    "$labs/study.sh" "$build" "$experiment" reduced "$work" >/dev/null 2>"$work/error" || { cat "$work/error"; exit 1; }
    table=formats_$experiment.csv
    rows=$(grep -c '^fp' "$work/$table")
    [ "$rows" -eq "$stages" ] || { echo "$table: $rows rows of $stages stages"; exit 1; }
    ! command -v python3 >/dev/null || grep -q '^</svg>$' "$work/formats_$experiment.svg" ||
        { echo "$experiment has no figure"; exit 1; }
    if grep -q '^# device: emulator' "$work/$table"; then
        grep -v '^#' "$labs/../results/$table" >"$work/expected"
        grep -v '^#' "$work/$table" | diff - "$work/expected"
    fi
done

refused() { # WORD ARGUMENT...: a call that names the word in one line
    word=$1
    shift
    if "$@" >/dev/null 2>"$work/error"; then
        echo "$*: was not refused"
        exit 1
    fi
    [ "$(wc -l <"$work/error")" -eq 1 ] && grep -q -- "$word" "$work/error" || { cat "$work/error"; exit 1; }
}
refused nowhere "$build/formats_study" nowhere reduced "$work"
refused half "$build/formats_study" channel half "$work"
refused channel "$build/formats_study" channel reduced
refused no_folder "$build/formats_study_double" street reduced "$work/no_folder"
refused nowhere "$labs/record.sh" "$build" "$work" nowhere
refused "formats is not there" "$labs/study.sh" "$work" channel reduced "$work"
refused nowhere "$labs/study.sh" "$build" nowhere reduced "$work/no_folder"
refused half "$labs/study.sh" "$build" channel half "$work/no_folder"
[ ! -e "$work/no_folder" ] || { echo 'a refused study leaves a folder'; exit 1; }
