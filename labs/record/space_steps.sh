#!/bin/sh
# Usage: labs/record/space_steps.sh NVCC >NEW.csv, for labs/results/space_steps.csv. What ptxas says of several_steps of
# stage 55 with other STEPS, WARPS and ROWS, and how many instructions the loop over planes has with the path without
# walls alone: those from the target of the kernel's longest jump back to that jump, listed by cuobjdump.
set -eu
export LC_ALL=C
nvcc=${1:?usage: labs/record/space_steps.sh NVCC}
command -v "$nvcc" >/dev/null || { echo "space_steps: there is no $nvcc" >&2; exit 3; }
PATH=$PATH:$(dirname "$(command -v "$nvcc")")
command -v cuobjdump >/dev/null || { echo 'space_steps: there is no cuobjdump; it is part of the CUDA toolkit' >&2; exit 3; }
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # SCRIPT OUT: leaves what ptxas says in $work/said
    sed "$1" stages/55_pieces_3d/solver.cu >"$work/solver.cu"
    "$nvcc" -O3 -arch=sm_90 --fmad=false -Xptxas -v -Icommon -DSTAGE=stage -DSTAGE_NAME='""' -cubin -o "$work/$2" \
        "$work/solver.cu" 2>"$work/said"
}

echo "# labs/record/space_steps.sh: several_steps of 55_pieces_3d with other STEPS, WARPS and ROWS, $("$nvcc" --version |
    sed -n 's/.*\(release [0-9.]*\).*/nvcc \1/p'), -O3 -arch=sm_90 --fmad=false"
echo '# spill_bytes: of spill stores. owned_percent: (32 - 2 steps) (warps rows - 2 steps) of the 32 warps rows columns of a tile.'
echo '# instructions: those in the loop that takes a warp to its next plane, with the path without walls alone; no loop is'
echo '# inside, and nearly all of it is executed for each plane.'
echo 'steps,warps,rows,owned_percent,registers,spill_bytes,instructions'
while read -r steps warps rows; do
    form="s/STEPS = 3 }/STEPS = $steps }/; s/WARPS = 8, ROWS = 3/WARPS = $warps, ROWS = $rows/"
    compile "$form" all
    facts=$(awk '/Compiling entry function/ { on = /several_steps/ }
                 on && /bytes stack frame/ { spills = $5 }
                 on && /Used [0-9]* registers/ { print $5 "," spills }' "$work/said")
    compile "$form; s/if (recent)/if (0)/" plain
    count=$(cuobjdump -sass "$work/plain" | awk '
        /Function :/ { on = /several_steps/ }
        on && match($0, /\/\*[0-9a-f]+\*\//) && /;/ {
            address[$1] = ++n
            if (/BRA/ && match($0, /0x[0-9a-f]+ ;/)) {
                to = "/*" sprintf("%4s", substr($0, RSTART + 2, RLENGTH - 4)) "*/"
                gsub(/ /, "0", to)
                if (to in address && n - address[to] + 1 > longest) longest = n - address[to] + 1
            }
        }
        END { print longest }')
    echo "$steps,$warps,$rows,$(((100 * (32 - 2 * steps) * (warps * rows - 2 * steps) + 16 * warps * rows) / (32 * warps * rows))),$facts,$count"
done <<END
1 8 3
2 8 3
3 8 3
4 8 3
5 8 3
3 8 4
2 12 2
3 12 2
4 8 2
END
