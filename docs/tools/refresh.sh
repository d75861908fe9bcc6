#!/bin/sh
# Usage: refresh.sh [--check]. Writes into the pages of the book the numbers, code, tables and diffs that they quote, as
# these are now, and draws the figure that needs no plot.py; with --check it only says what differs. Fails if something
# differs or can't be had.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
mode=${1-}
case $mode in
'' | --check) ;;
*) echo "refresh.sh does not know \"$mode\"; it takes --check or nothing" >&2; exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
tools=docs/tools
record=$(sh $tools/record.sh)
sh $tools/list.sh >"$work/list"
echo README.md >>"$work/list"
failed=0

fill_in() { # PAGE
    awk -v self="$1" -v record="$record" -v list="$work/list" -f $tools/text.awk -f $tools/query.awk \
        -f $tools/blocks.awk -f $tools/refresh.awk >"$work/page"
}

# The file whole or not at all, with the modes that it had.
replace() { # FILE TEXT
    [ ! -e "$1" ] || cp -p "$1" "$1.new"
    cat "$2" >"$1.new" && mv "$1.new" "$1" || { rm -f "$1.new"; echo "$1: it can't be written" >&2; exit 1; }
}

draw() { # SCRIPT TABLE FIGURE
    awk -f "$1" "$2" >"$work/figure"
    [ "$mode" = --check ] || cmp -s "$work/figure" "$3" || replace "$3" "$work/figure"
    cmp -s "$work/figure" "$3" && return
    echo "$3:1: it is not what $1 draws" >&2
    failed=1
}

draw labs/lost_force/lost_force.awk labs/results/lost_force.csv docs/figures/lost_force.svg
taken=$record/take_away.csv
[ -e "$taken" ] || taken=/dev/null
draw labs/take_away/take_away.awk "$taken" docs/figures/take_away.svg
while IFS="$(printf '\t')" read -r page rest; do
    if [ "$mode" != --check ]; then
        fill_in "$page" 2>/dev/null || [ $? -eq 1 ] || { echo "$page: awk fails" >&2; exit 1; }
        cmp -s "$work/page" "$page" || replace "$page" "$work/page"
    fi
    fill_in "$page" || failed=1
    cmp -s "$work/page" "$page" || failed=1
done <"$work/list"
exit $failed
