#!/bin/sh
# Usage: faults_not_found.sh BUILD. Where a tool does not say of a planted fault what tools.txt expects,
# labs/faults/transcripts.sh fails, and names both.
set -eu
export LC_ALL=C
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$(dirname "$0")/../labs/faults" "$work/faults"
for tool in result sanitize memcheck; do
    echo "missing_guard $tool 33x9 no such words"
done >"$work/faults/tools.txt"
if sh "$work/faults/transcripts.sh" "$build" "$work/out" >"$work/said" 2>&1; then
    cat "$work/said"
    grep -q 'transcripts: left out' "$work/said" # the test is skipped then
else
    cat "$work/said"
    grep -q '^missing_guard: [a-z]* does not say "no such words":' "$work/said"
fi
