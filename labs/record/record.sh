#!/bin/sh
# Usage: labs/record/record.sh BUILD_DIR [PART...]. Takes the reference tables of this machine, into
# labs/results/DEVICE/PART.csv. Parts: bench_poiseuille bench_cavity branch_3x_FLOW branch_3x_profile
# branch_4x_FLOW branch_4x_profile branch_5x_FLOW branch_5x_profile energy validate runs latency reductions phases tune_STAGE profile profile_BLOCK ablation; without
# names all of them, with the sweeps and the profile of blocks of 32x8 that the book quotes. In a build without CUDA
# the device is the CPU, with the stages that run on it and the parts bench_poiseuille, bench_cavity, energy, validate
# and runs. DEVICE, if it is set, names the folder. At the end check.sh looks at it.
set -eu
export LC_ALL=C

build=${1:?usage: labs/record/record.sh BUILD_DIR [PART...]}
shift
lbm=$build/lbm
labs=$(dirname "$0")/..
block=128x1
branch_3x='02_soa 30_moments 31_march 32_sweeps 33_pairs 34_two_paths 35_async 22_deep_halo'
two_kinds_of_steps='03_aa 04_aa_fp16s 05_links 06_two_cells 07_stochastic'

[ -x "$lbm" ] || { echo "record: $lbm is not there: build first" >&2; exit 3; }

parts='bench_poiseuille bench_cavity branch_3x_FLOW branch_3x_profile branch_4x_FLOW branch_4x_profile branch_5x_FLOW branch_5x_profile energy validate runs latency reductions phases tune_STAGE profile profile_BLOCK ablation'
built() { # COLUMN=VALUE...; prints the stages that are built and so
    awk -v where="built=yes $*" -f "$labs/record/stages.awk" "$build/stages.tsv"
}
gpu_stages=$(built runs_on=gpu lattice=d2q9)
cpu_stages=$(built runs_on=cpu lattice=d2q9)
stages_5x=$(built runs_on=gpu lattice=d3q19 needs!=MPI | tr '\n' ' ')
stages_4x=$(echo "$gpu_stages" | grep '^4[0-9]_' | tr '\n' ' ')
first=$(awk -f "$labs/record/stages.awk" "$build/stages.tsv" | head -n 1) # all speeds are told beside its
head=$("$lbm" bench "$(echo "$gpu_stages" | head -n 1)" --sizes 64 --repeat 1)
device=$(echo "$head" | sed -n 's/^device *//p')
case $device in
*emulator*)
    device=$(echo "$head" | sed -n '/^host  *[^c]/s/^host *//p')
    parts='bench_poiseuille bench_cavity energy validate runs'
    # shellcheck disable=SC2086
    [ $# -gt 0 ] || set -- $parts
    bench_stages=$cpu_stages one_device=$cpu_stages stages_5x='' bench_options='--sizes 256,1024,4096' energy_options='--sizes 4096' ;;
*)
    [ $# -gt 0 ] || set -- bench_poiseuille bench_cavity branch_3x_cavity branch_3x_poiseuille branch_3x_profile branch_4x_poiseuille branch_4x_profile branch_5x_duct branch_5x_abc branch_5x_cube branch_5x_profile energy validate runs latency reductions phases tune_02_soa tune_03_aa tune_04_aa_fp16s profile profile_32x8 ablation
    bench_stages=$gpu_stages one_device=$(built runs_on=gpu lattice=d2q9 needs!=MPI) bench_options="--block $block" energy_options="--block $block --sizes 8192" ;;
esac
for part in "$@"; do
    pattern=$(echo "$part" | sed 's/^\(branch_.x\)_.*/\1_FLOW/; s/^tune_.*/tune_STAGE/; s/^profile_.*/profile_BLOCK/')
    case " $parts " in
    *" $part "* | *" $pattern "*) ;;
    *) echo "record: unknown part \"$part\"; for $device there are $parts" >&2; exit 2 ;;
    esac
done
case $("$lbm" --version) in
*unknown) echo "record: $lbm does not know its commit, and check.sh accepts no table without: build with cmake -DLBM_COMMIT=..." >&2; exit 3 ;;
*-dirty) echo "record: files were changed after the commit: check.sh takes a line \"# changed: ...\" in each table" >&2 ;;
esac
folder=$labs/results/$(echo "${DEVICE:-$device}" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]\{1,\}/-/g; s/^-//; s/-$//')
mkdir -p "$folder"

# Whether the device tells its power, before minutes go into it; prints what it tells.
has_sensor() { # STAGE
    said=$(LBM_REPEAT_MS=200 "$lbm" bench "$1" --energy --sizes 64 --repeat 1 | grep '^energy ') || true
    echo "$said"
    case $said in
    *'device: NVML'* | *'host: RAPL'*) ;;
    *) echo "record: energy is left out: it takes a device that tells its power" >&2; return 1 ;;
    esac
}

# Takes a profile, or says in one line that its counters can't be read.
profile() { # NAME=VALUE... profile.sh WORD...
    { said=$(env "$@" 2>&1 >&3) && return; } 3>&1
    case $said in
    *'ncu '*' is not there'* | *ERR_NVGPUCTRPERM*) echo "record: the counters of $part are left out: $said" >&2 ;;
    *) echo "$said" >&2; exit 3 ;;
    esac
}

# Of the rows of a stage and a flow that hold, only the one nearest to its bound.
nearest_to_bounds() {
    awk 'function end_flow() { if (row != "") print row; row = flow = "" }
        match($0, /[0-9.e+-]+ +[0-9.e+-]+  ok/) {
            split(substr($0, RSTART, RLENGTH), number, " ")
            if ($1 != flow) end_flow()
            flow = $1
            if (row == "" || number[1] / number[2] > nearest) { nearest = number[1] / number[2]; row = $0 }
            next
        }
        { end_flow(); print }
        END { end_flow() }'
}

# Writes the report of `lbm validate`, also one with failures, below a head that says how it was made.
record_validation() { # FILE STAGE...
    file=$1
    shift
    {
        echo "# command: lbm validate $*"
        echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        echo "# program: $("$lbm" --version)"
        echo "# device: $device"
        echo "# rows: of each stage and flow the one nearest to its bound"
        "$lbm" validate "$@" || [ $? -eq 1 ]
    } >"$file.new"
    nearest_to_bounds <"$file.new" >"$file.rows"
    mv "$file.rows" "$file"
    rm "$file.new"
}

# shellcheck disable=SC2086
for part in "$@"; do
    echo "== $part -> $folder"
    case $part in
    bench_poiseuille) "$lbm" bench "$first" $bench_stages $bench_options --repeat 3 --csv "$folder/$part.csv" ;;
    bench_cavity) "$lbm" bench $bench_stages --scenario cavity $bench_options --repeat 3 --csv "$folder/$part.csv" ;;
    branch_3x_profile) profile STAGES="$branch_3x" BLOCK=$block "$labs/record/profile.sh" "$build" "$folder/$part.csv" 4096 ;;
    branch_3x_*) "$lbm" bench $branch_3x --scenario "${part#branch_3x_}" --block $block --repeat 3 --sizes 512,1024,2048,4096,8192 --csv "$folder/$part.csv" ;;
    energy)
        has_sensor "$(echo "$one_device" | head -n 1)" || continue
        "$lbm" bench $one_device --energy $energy_options --repeat 3 --csv "$folder/$part.csv"
        case $energy_options in *--block*) "$labs/record/compare_powers.sh" "$folder/$part.csv" ;; esac
        ;;
    validate) record_validation "$folder/validate.txt" "$first" $bench_stages $stages_5x ;;
    runs) "$labs/runs/runs.sh" "$build" "$folder/$part.csv" ;;
    latency | reductions)
        cmake --build "$build" --target "$part"
        "$build/$part" --csv "$folder/$part.csv"
        ;;
    branch_4x_profile) # the other stages make all steps in one launch, which says nothing of a step
        profile STAGES=40_graph BLOCK=$block "$labs/record/profile.sh" "$build" "$folder/$part.csv"
        ;;
    branch_4x_*) "$lbm" bench 02_soa 35_async $stages_4x --scenario "${part#branch_4x_}" --block $block --repeat 3 --sizes 32,64,128,256,512,1024,2048,4096,8192 --csv "$folder/$part.csv" ;;
    branch_5x_profile) profile STAGES="$stages_5x" FLOW=duct BLOCK=$block "$labs/record/profile.sh" "$build" "$folder/$part.csv" 192 ;;
    branch_5x_*) # a second a repeat: on so short a way as 0.3 s the card draws more than it may for long
        "$lbm" bench $stages_5x --scenario "${part#branch_5x_}" --energy --block $block --repeat 3 --sizes 64,128,256,512 --csv "$folder/$part.csv"
        ;;
    phases) "$lbm" bench $two_kinds_of_steps --phases --block $block --repeat 3 --sizes 1024,2048,4096,8192 --csv "$folder/$part.csv" ;;
    tune_*) "$lbm" tune "${part#tune_}" --csv "$folder/$part.csv" ;;
    profile) profile BLOCK=$block "$labs/record/profile.sh" "$build" "$folder/$part.csv" ;;
    profile_*) profile BLOCK=${part#profile_} "$labs/record/profile.sh" "$build" "$folder/$part.csv" 4096 ;;
    ablation)
        "$labs/ablation/ablation.sh" "$build/ablation" "$folder/$part.csv"
        profile BLOCK=$block "$labs/record/profile.sh" "$build/ablation" "$folder/${part}_profile.csv" 4096
        ;;
    esac
done
"$labs/record/check.sh" "$build" "$folder"
