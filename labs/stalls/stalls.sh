#!/bin/sh
# Usage: labs/stalls/stalls.sh BUILD_DIR OUT_DIR. What do the warps wait for? Writes stalls.csv, counters of Nsight Compute
# for stages and for copies of them with one change each, and variants.csv, their speeds, of an NVIDIA GPU. Builds in
# BUILD_DIR, a new folder or the one of the time before.
set -eu
export LC_ALL=C
usage='usage: labs/stalls/stalls.sh BUILD_DIR OUT_DIR'
build=${1:?$usage}
out=${2:?$usage}
top=$(cd "$(dirname "$0")/../.." && pwd)
script=stalls
. "$top/labs/copy.sh"
command -v ncu >/dev/null || { echo 'stalls: ncu (Nsight Compute, part of the CUDA toolkit) is not there' >&2; exit 3; }

variant() { # NAME STAGE NVCC_FLAGS SED_OPTION...
    name=$1 stage=$2 flags=$3
    shift 3
    mkdir "$build/source/stages/$name"
    change "stages/$stage/solver.cu" "stages/$name/solver.cu" "$@"
    sed -i "s/^end_stages()/add_stage($name FOLLOWS $stage DIFF 20 LAYOUT none AGREES_WITH none REGISTERS 255 ${flags:+NVCC_FLAGS $flags})\n&/" "$build/source/stages/CMakeLists.txt"
}
copy_source stalls
keep_stages 00_cpu_aos 01_naive_gpu 02_soa 03_aa 04_aa_fp16s 05_links 06_two_cells 07_stochastic 30_moments 31_march 32_sweeps \
    33_pairs 34_two_paths 35_async 40_graph 50_d3q19 51_moments_3d 52_march_3d 53_sweeps_3d 54_two_paths_3d 55_pieces_3d
quick=--prec-div=false lanes=--fmad=false
# Volatile, or nvcc moves the loads behind the test.
variant 04_loads_first 04_aa_fp16s '' -e '/even_step(Physics/,/^}/{/if (is_wall/,/return/d; /float f\[9\];/s/^/    const CellType own = type[cell];\n/; s/f\[i\] = unpack(grid\[at(cell, i, cells)\]);/f[i] = unpack(__ushort_as_half(((const volatile unsigned short *)grid)[at(cell, i, cells)]));\n    if (is_wall(own))\n        return;/}'
variant 04_division 04_aa_fp16s $quick -e '$a // faster divisions'
variant 05_free_registers 05_links $quick -e '$a // without a limit of registers'
five_blocks='s/LAUNCH(\(even\|odd\)_step, solver->grid, solver->block,/LAUNCH_BLOCKS(\1_step, solver->grid, solver->block, 44 << 10,/' # of 44 KiB on an SM
variant 04_blocks_5 04_aa_fp16s '' -e "$five_blocks"
variant 06_blocks_5 06_two_cells $quick -e "$five_blocks"
variant 06_ahead_20 06_two_cells $quick -e 's/PREFETCH_DISTANCE = 1 << 17/PREFETCH_DISTANCE = 1 << 20/'
variant 03_prefetch 03_aa '' -e '/const CellNumber cell = (CellNumber)y/{/physics\.width/s/$/\n    const unsigned lane = (unsigned)x % 32;\n    const size_t later = (size_t)cell - lane + (1 << 16);\n    if (lane < 10 \&\& later < cells)\n        prefetch(lane < 9 ? (const void *)(grid + at(later, lane, cells)) : type + later);/}'
variant 31_columns_24 31_march $lanes -e 's/TILE_COLUMNS = LANES - 2 \* HALO/TILE_COLUMNS = 24/'
variant 31_rows_32 31_march $lanes -e 's/ROWS = 4 /ROWS = 32 /'
first_line='/^static __global__ void step(/,/^}/{/trigger_dependent_launch/d; s/^{$/{\n    trigger_dependent_launch();/;}'
variant 40_first_line 40_graph '' -e "$first_line"
variant 40_first_line_two_blocks 40_graph '' -e "$first_line" -e 's/LAUNCH_DEPENDENT(solver->stream, step, solver->grid, solver->block,/LAUNCH_WITH(dependent_launch((const void *)step), solver->stream, step, solver->grid, solver->block, 100 << 10,/'
variant 52_columns_30 52_march_3d $lanes -e 's/MARGIN = 4/MARGIN = 1/'
variant 52_columns_30_planes_128 52_march_3d $lanes -e 's/MARGIN = 4/MARGIN = 1/' -e 's/PLANES = 32 /PLANES = 128 /'
variant 52_planes_8 52_march_3d $lanes -e 's/PLANES = 32 /PLANES = 8 /'
variant 53_planes_20 53_sweeps_3d $lanes -e 's/PLANES = 128 /PLANES = 20 /'
cmake -S "$build/source" -B "$build" -DBUILD_TESTING=OFF -Dcan_record=OFF
cmake --build "$build" --target lbm -j "$(nproc)"

stalls='long_scoreboard barrier mio_throttle short_scoreboard no_instruction wait not_selected'
columns=time_ns,dram_read_bytes,dram_write_bytes,l2_percent,link_percent,link_sectors,warps,issue_percent,instructions,most_instructions,clocks
metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,lts__throughput.avg.pct_of_peak_sustained_elapsed,lts__ltcfabric2ltc_cycles_active.avg.pct_of_peak_sustained_elapsed,lts__t_sectors_srcunit_ltcfabric.sum
metrics=$metrics,smsp__warps_active.avg.per_cycle_active,smsp__issue_active.avg.pct_of_peak_sustained_active,sm__inst_executed.sum,sm__inst_executed.max,smsp__average_warp_latency_per_inst_issued.ratio
for stall in $stalls; do metrics=$metrics,smsp__average_warps_issue_stalled_${stall}_per_issue_active.ratio; done

profile() { # FLOW SIZE STAGE...: a row for each kernel
    flow=$1 size=$2
    shift 2
    for stage; do
        ncu --clock-control none --csv --print-units base --kernel-name 'regex:^(?!.*_kernel$)' --launch-skip 6 --launch-count 2 --metrics "$metrics" \
            "$build/lbm" run "$stage" "$flow" --size "$size" --tau 0.8 --steps 61 --quiet --block 128x1 >"$build/report" 2>&1 ||
            { echo "stalls: $stage at $size: $(tail -n 1 "$build/report")" >&2; exit 3; }
        awk -v stage="$stage,$flow" -v size="$size" -v metrics="$metrics" -f "$top/labs/record/profile.awk" "$build/report"
    done
}
bench() { # FLOW OPTIONS...: a row for each stage and size, or for each step of a cycle
    flow=$1
    shift
    "$build/lbm" bench --scenario "$flow" --repeat 2 --block 128x1 "$@" --csv "$build/one.csv" >/dev/null
    awk -F, -v OFS=, -v flow="$flow" 'function get(name) { return name in at ? $at[name] : "" }
        !/^#/ && at["stage"] { print get("stage"), flow, get("size"), get("phase"), get("step_us"), get("mlups" ("phase" in at ? "" : "_mean")) / 1000, get("sampled_w"), get("clock_median_mhz") }
        !/^#/ && !at["stage"] { for (n = 1; n <= NF; n++) at[$n] = n }' "$build/one.csv"
}
{
    echo "stage,flow,size,kernel,$columns,$(echo "$stalls" | tr ' ' ,)"
    profile poiseuille 512 32_sweeps
    profile poiseuille 4096 03_aa 04_aa_fp16s 05_links 06_two_cells 06_ahead_20 30_moments 31_march 31_columns_24 32_sweeps 33_pairs 34_two_paths 35_async
    profile poiseuille 8192 31_march 31_rows_32
    profile duct 192 50_d3q19 51_moments_3d 52_march_3d
    profile cube 192 50_d3q19
    profile abc 192 53_sweeps_3d 54_two_paths_3d
    profile duct 64 53_sweeps_3d 54_two_paths_3d
    for size in 256 512; do profile abc $size 52_march_3d 52_columns_30 52_columns_30_planes_128; done
} >"$out/stalls.csv"
{
    echo stage,flow,size,phase,step_us,glups,watts,mhz
    bench poiseuille --phases --sizes 4096 03_aa 03_prefetch 04_aa_fp16s 04_blocks_5 04_loads_first 04_division 05_links 05_free_registers 06_two_cells 06_blocks_5 06_ahead_20
    bench poiseuille --sizes 4096,8192 31_march 31_columns_24 31_rows_32
    bench poiseuille --sizes 128 40_graph 40_first_line 40_first_line_two_blocks
    for flow in poiseuille cavity taylor_green; do bench $flow --energy --sizes 8192 06_two_cells 07_stochastic; done
    bench abc --sizes 64 52_march_3d 52_planes_8
    bench abc --sizes 96 53_sweeps_3d 53_planes_20
    LBM_REPEAT_MS=300 bench abc --energy --sizes 512 55_pieces_3d
} >"$out/variants.csv"
