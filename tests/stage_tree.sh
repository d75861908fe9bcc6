#!/bin/sh
# Usage: stage_tree.sh SOURCE. Adds stages to a copy of the source folder, rightly and wrongly, and looks at what the
# build and the program make of them.
set -eu
export LC_ALL=C
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
cd "$work/tree"
for part in CMakeLists.txt README.md cmake common docs exercises labs live tests; do
    cp -r "$source/$part" .
done
mkdir stages
for stage in 00_cpu_aos 01_naive_gpu 02_soa 03_aa 04_aa_fp16s; do
    cp -r "$source/stages/$stage" stages
done
grep -E '^(set|add_stage\(0[0-4])' "$source/stages/CMakeLists.txt" >trunk
failed=0

complain() {
    echo "$*"
    failed=1
}

configure() { # LINE...: of stages/CMakeLists.txt, below those of the trunk
    printf '%s\n' "$@" end_stages\(\) | cat trunk - >stages/CMakeLists.txt
    cmake -S . -B build -DLBM_BACKEND=cpu -DCMAKE_BUILD_TYPE=Debug -Dcan_record=OFF -DBUILD_TESTING=OFF \
        -DHalfThere_DIR="$work" >"$work/said" 2>&1
}

# Fails unless CMake gives up on these arguments of add_stage with this message and no other.
refuses() { # ARGUMENTS MESSAGE
    ! configure "add_stage($1)" || complain "add_stage($1) was taken"
    tr -s ' \n' '  ' <"$work/said" >"$work/line"
    if ! grep -qF -- "$2" "$work/line" || [ "$(grep -c '^CMake Error' "$work/said")" -ne 1 ]; then
        complain "add_stage($1): expected the one message \"$2\", got"
        cat "$work/said"
    fi
}

cp -r stages/03_aa stages/05_probe
above='which is no stage above it; these are 00_cpu_aos, 01_naive_gpu, 02_soa, 03_aa, 04_aa_fp16s'
refuses '05_probe FOLLOWS 04_aa LAYOUT soa' "05_probe: FOLLOWS \"04_aa\", $above"
refuses '05_probe FOLLOWS 05_probe LAYOUT soa' "05_probe: FOLLOWS \"05_probe\", $above"
refuses '05_probe FOLLOWS 03_aa AGREES_WITH 4 LAYOUT soa' "05_probe: AGREES_WITH \"4\", $above"
refuses '05_probe FOLLOWS 03_aa DIFF few LAYOUT soa' '05_probe: DIFF is "few"; it takes a number of lines, from 1 on'
refuses '05_probe FOLLOW 03_aa LAYOUT soa' '05_probe: add_stage does not know "FOLLOW;03_aa"; it takes FOLLOWS, DIFF,'
refuses '05_probe LAYOUT soa' '05_probe: FOLLOWS is missing; only the first stage, 00_cpu_aos, follows none'
refuses '05_probe FOLLOWS 03_aa LAYOUT' '05_probe: LAYOUT lacks its value; it takes one'
refuses '05_probe FOLLOWS 03_aa LAYOUT row' '05_probe: LAYOUT is "row"; it takes aos, soa, soa_moments, rows, lines or none'
refuses '05-probe FOLLOWS 03_aa LAYOUT soa' '"05-probe" is no name for a stage: it takes a digit, and then'
refuses '05_prob FOLLOWS 03_aa LAYOUT soa' 'stages/05_probe has no line in stages/CMakeLists.txt'
refuses '05_probe FOLLOWS 03_aa NEW_PROGRAM DIFF 5 LAYOUT soa' '05_probe: both DIFF and NEW_PROGRAM; it takes one of them'
refuses '05_probe FOLLOWS 03_aa LAYOUT soa NEEDS MPI AGREE_WITH none' '05_probe: add_stage does not know "AGREE_WITH"'
refuses '05_probe FOLLOWS 03_aa LAYOUT soa FLAGS -DMINE REGISTER 80' '05_probe: add_stage does not know "REGISTER"'
refuses '05_probe FOLLOWS 03_aa LAYOUT soa REGISTERS few' '05_probe: REGISTERS is "few"; it takes a number, from 1 on'
refuses '04_aa_fp16s FOLLOWS 03_aa LAYOUT soa' '04_aa_fp16s: a second line; a folder holds one stage'
! configure || complain 'a folder without its line was taken'
grep -q 'stages/05_probe has no line in stages/CMakeLists.txt; it takes' "$work/said" || { complain 'a folder without its line'; cat "$work/said"; }

# What is right: flags of its own, a package that is not there, and one that makes its target although it finds nothing.
printf 'add_library(HalfThere::HalfThere_C INTERFACE IMPORTED)\nset(HalfThere_FOUND FALSE)\n' >"$work/HalfThereConfig.cmake"
printf '#if MINE != 7\n#error its flags are missing\n#endif\n' >>stages/05_probe/solver.cu
printf '#ifdef MINE\n#error the flags of another stage\n#endif\n' >>stages/03_aa/solver.cu
for stage in 06_lost 07_after 08_half; do
    cp -r stages/03_aa stages/$stage
    echo '#error this stage is left out' >>stages/$stage/solver.cu
done
rm -r stages/04_aa_fp16s # as a teacher does
configure 'add_stage(05_probe FOLLOWS 03_aa LAYOUT soa FLAGS -DMINE=7 REGISTERS 80 ON_CHIP)' \
    'add_stage(06_lost FOLLOWS 03_aa LAYOUT soa NEEDS NoSuchThing)' \
    'add_stage(07_after FOLLOWS 06_lost DIFF 5 LAYOUT soa)' \
    'add_stage(08_half FOLLOWS 03_aa NEW_PROGRAM LAYOUT soa NEEDS HalfThere)' || { complain 'it is not configured'; cat "$work/said"; }
for line in '04_aa_fp16s is left out: there is no stages/04_aa_fp16s/solver.c or solver.cu' '06_lost is left out: it needs NoSuchThing, which was not found' \
    '07_after is left out: it goes with 06_lost, which is left out' \
    '08_half is left out: it needs HalfThere, which was not found'; do
    [ "$(grep -cFx -- "-- Stage $line" "$work/said")" -eq 1 ] || complain "CMake did not say: $line"
done
sed 's/\t/ /g' build/stages.tsv | tail -n 4 | cut -d ' ' -f 1,3- | diff - /dev/fd/3 3<<'END' || complain 'stages.tsv differs'
05_probe 03_aa 03_aa 100 gpu yes -DMINE=7 80 d2q9 -
06_lost 03_aa 03_aa 100 gpu no - 64 d2q9 NoSuchThing
07_after 06_lost 06_lost 5 gpu no - 64 d2q9 -
08_half 03_aa 03_aa - gpu no - 64 d2q9 HalfThere
END
cmake --build build --target lbm -j 2 >"$work/said" 2>&1 || { complain 'lbm is not built'; cat "$work/said"; }
build/lbm list | grep -q '^  05_probe ' || complain 'lbm list lacks 05_probe'
exit $failed
