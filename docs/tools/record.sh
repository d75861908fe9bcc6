#!/bin/sh
# Usage: record.sh, from the top of the repository. Prints the folder of the device of record.
set -eu
device=$(sed -e '/^#/d' -e '/^$/d' labs/results/record.txt)
if [ -z "$device" ] || [ ! -d "labs/results/$device" ]; then
    echo "labs/results/record.txt names \"$device\"; it takes one folder of labs/results:" labs/results/*/ >&2
    exit 1
fi
echo "labs/results/$device"
