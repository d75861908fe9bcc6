#!/bin/sh
# Usage: labs/record/kernels.sh BUILD_DIR NVCC >NEW.csv, for labs/results/kernels.csv. What ptxas says of each kernel,
# compiled for sm_90.
set -eu
export LC_ALL=C
usage='usage: labs/record/kernels.sh BUILD_DIR NVCC'
table=${1:?$usage}/stages.tsv
nvcc=${2:?$usage}
[ -e "$table" ] || { echo "kernels: $table is not there: it takes a folder that cmake -B has set up" >&2; exit 3; }
command -v "$nvcc" >/dev/null || { echo "kernels: there is no $nvcc" >&2; exit 3; }
stages=$(awk -v where='runs_on=gpu built=yes' -v show='name solver flags' -f "$(dirname "$0")/stages.awk" "$table" | sed 's/ -$//')
cd "$(dirname "$0")/../.."

echo "# labs/record/kernels.sh: ptxas' report for sm_90, $("$nvcc" --version | sed -n 's/.*\(release [0-9.]*\).*/\1/p')"
echo 'stage,kernel,registers,stack_bytes,spill_bytes'
while read -r stage solver flags; do
    # shellcheck disable=SC2086
    "$nvcc" -O3 -arch=sm_90 -Xptxas -v -Icommon -DSTAGE=stage -DSTAGE_NAME='""' $flags -c "$solver" -o /dev/null 2>&1 |
        awk -v stage="$stage" '
            /Compiling entry function/ { kernel = $0; sub(/.*function .[^0-9]*/, "", kernel) }
            /bytes stack frame/ { stack = $1; spills = $5 + $9 }
            /Used [0-9]* registers/ {
                match(kernel, /(even_|odd_|one_|several_)?steps?|advance_[a-z]+|march|pack_halo|unpack_halo/)
                print stage "," substr(kernel, RSTART, RLENGTH) "," $5 "," stack "," spills
            }'
done <<END
$stages
END
