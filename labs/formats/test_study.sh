#!/bin/sh
# Usage: test_study.sh BUILD_DIR. The shortest experiment makes its table, and mistakes end in one line.
set -eu
labs=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$labs/study.sh" "$build" channel reduced "$work" >/dev/null 2>&1
rows=$(grep -c '^fp' "$work/formats_channel.csv")
stages=$(($("$build/formats" list | grep -c ' GPU ') + $("$build/formats_double" list | grep -c ' GPU ')))
[ "$rows" -eq "$stages" ] || { echo "$rows rows of $stages stages"; exit 1; }
grep -q '^arithmetic,format,shift,h6,h14,h30,h62,h126$' "$work/formats_channel.csv"
[ "$(ls "$work")" = "$(printf 'formats_channel.csv\nsamples')" ] || [ -e "$work/formats_channel.svg" ]

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
refused formats_study "$labs/study.sh" "$work" channel reduced "$work"
