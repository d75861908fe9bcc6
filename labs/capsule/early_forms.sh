#!/bin/sh
# Usage: labs/capsule/early_forms.sh BUILD_DIR OUT.csv. What does stage 63 gain because its kernels begin early? Times copies
# of it with one change each, on an NVIDIA GPU. Builds in BUILD_DIR, a new folder or that of an earlier run. LBM_COMMIT
# names the state of the program where git can't.
set -eu
export LC_ALL=C
usage='usage: labs/capsule/early_forms.sh BUILD_DIR OUT.csv'
build=${1:?$usage}
out=${2:?$usage}
top=$(cd "$(dirname "$0")/../.." && pwd)
script=early_forms
. "$top/labs/copy.sh"
copy_source early
keep_stages 00_cpu_aos 01_naive_gpu 02_soa 50_d3q19 60_membrane 61_same_bits 62_fewer_atomics 63_dependent_launch

forms=
form() { # STAGE NAME SED_OPTION...
    stage=$1 name=${1%%_*}_$2
    shift 2
    forms="$forms $name"
    mkdir "$build/source/stages/$name"
    change "stages/$stage/solver.cu" "stages/$name/solver.cu" "$@"
    sed -i "s/^end_stages()/add_stage($name FOLLOWS $stage LAYOUT none NVCC_FLAGS --fmad=false)\n&/" \
        "$build/source/stages/CMakeLists.txt"
}
bytes='s/int \*marked;/unsigned char *marked;/; s/(int \*)/(unsigned char *)/; s/ = a\.step;/ = 1;/; s/ == immersed\.step//; s/^    float force\[3\], u\[3\];/&\n    a->marked[cell] = 0;/'
wait='    grid_dependency_sync();' trigger='    trigger_dependent_launch();'
form 62_fewer_atomics byte_marks -e "$bytes"
# The trigger keeps the load of the mark before all others.
form 62_fewer_atomics byte_marks_first -e "$bytes" \
    -e "/^static __global__ void step/,/^}/{s/^    float f\[19\];/    const int is_marked = immersed.marked[cell];\n$trigger\n&/; s/if (immersed.marked\[cell\])/if (is_marked)/;}"
form 63_dependent_launch plain_launches -e 's/LAUNCH_DEPENDENT(0, \([a-z_]*, [^,]*, [^,]*\),/LAUNCH_BLOCKS(\1, 0,/'
form 63_dependent_launch all_wait_first -e "s/^    const int is_marked = /$wait\n&/"
form 63_dependent_launch all_wait_then -e "s/^    if (is_marked)/$wait\n&/; s/const float \*__restrict__ from/const float *from/"
form 63_dependent_launch all_wait_restrict -e "s/^    if (is_marked)/$wait\n&/" # nvcc moves loads below the wait
form 63_dependent_launch spread_triggers_last -e "/^static __global__ void spread/,/^}/{/$trigger/d; s/^$wait/&\n$trigger/;}"
form 63_dependent_launch move_triggers_last -e "/^static __global__ void move/,/^}/{/$trigger/d; s/^$wait/&\n$trigger/;}"
form 63_dependent_launch idle_kernels -e "/^static __global__ void add_volumes/,/^}/s/^$trigger.*/&\n    if (n >= 0)\n        return;/" \
    -e "/^static __global__ void spread/,/^}/s/^$trigger/&\n    if (n >= 0)\n        return;/"
form 63_dependent_launch no_forces -e "s/^    if (is_marked)/    if (is_marked) {\n    $wait\n        immersed.marked[cell] = 0;\n    }\n    if (0)/"
form 63_dependent_launch no_membrane -e '/^static void advance/,/^}/s/nodes = a->mesh.nodes,/nodes = 0,/'
commit=${LBM_COMMIT:-$(git -c safe.directory='*' -C "$top" describe --always --dirty --tags 2>/dev/null || true)}
cmake -S "$build/source" -B "$build" -DBUILD_TESTING=OFF -Dcan_record=OFF -DLBM_COMMIT="$commit"
cmake --build "$build" --target lbm -j "$(nproc)"

timed() { # CAPSULES SIZE STEPS STAGE FLOW OPTION...
    case="$1,$2,$4" size=$2 steps=$3 stage=$4 flow=$5
    shift 5
    for run in 1 2 3; do
        "$build/lbm" run "$stage" "$flow" --size "$size" --tau 1.5 --block 128x1 --u 0.005 --steps "$steps" "$@" |
            awk '$1 == "steps" { for (n = 3; n <= NF; n++) if ($n == "s") printf "%.2f\n", 1e6 * $(n - 1) / $2 }'
    done | sort -g | sed "s/^/$case,/;q"
}
{
    echo "# command: labs/capsule/early_forms.sh BUILD_DIR OUT.csv"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$build/lbm" --version)"
    echo "# device: $("$build/lbm" bench 50_d3q19 --sizes 32 --repeat 1 | sed -n 's/^device  *//p')"
    echo "# best of three; a step of 0.25 us with one capsule, of 2.5 us with 100"
    echo 'capsules,size,form,us_step'
    timed 0 128x192x64 4000 50_d3q19 duct
    timed 0 128x192x64 4000 63_dependent_launch duct
    timed 0 128x192x64 4000 63_no_membrane capsule
    for form in 62_fewer_atomics 63_dependent_launch ${forms% *}; do # no_membrane stands above
        timed 1 128x192x64 4000 "$form" capsule
        timed 100 256x192x256 400 "$form" capsule --capsules 100
    done
} >"$out"
