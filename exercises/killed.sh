#!/bin/sh
# Usage: killed.sh CHECK. What the student's file prints is shown at once, and a check ends with the process that shows
# it: CHECK prints "before the loop" and never ends. It keeps the pipe open for as long as it runs.
set -eu
export LC_ALL=C
shown=$(mktemp)
trap 'rm -f "$shown"' EXIT
{
    "$1" 3>&1 >"$shown" 2>&1 &
    tries=100
    until grep -q 'before the loop' "$shown" || [ $((tries -= 1)) = 0 ]; do sleep 0.1; done
    kill -s KILL $!
} | timeout 20 cat || { echo 'the check goes on without the process that shows its output'; exit 1; }
grep -q 'before the loop' "$shown" || { echo 'it does not show at once what is printed'; exit 1; }
