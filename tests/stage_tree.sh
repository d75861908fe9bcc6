#!/bin/sh
# Usage: stage_tree.sh SOURCE. Adds stages to a copy of the source folder, rightly and wrongly, and looks at what the
# build, the program, the tests and the book make of them.
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
failed=0

complain() {
    echo "$*"
    failed=1
}

configure() {
    cmake -S . -B build -DLBM_BACKEND=cpu -DCMAKE_BUILD_TYPE=Debug -Dcan_record=OFF -DThing_DIR="$work" -DHalfThere_DIR="$work" >"$work/said" 2>&1
}

# stages/NAME as a copy of stages/FROM, with these arguments of add_stage and the layout of all copies.
add() { # NAME FROM ARGUMENTS
    rm -rf "stages/$1"
    cp -r "stages/$2" "stages/$1"
    echo "add_stage($3 LAYOUT ${4-soa})" >"stages/$1/CMakeLists.txt"
}

# Fails unless CMake gives up on stages/05_probe with this message and no other.
refuses() { # ARGUMENTS MESSAGE [LAYOUT]
    add 05_probe 04_aa_fp16s "$1" "${3-soa}"
    ! configure || complain "add_stage($1) was taken"
    tr -s ' \n' '  ' <"$work/said" >"$work/line"
    if ! grep -qF -- "$2" "$work/line" || [ "$(grep -c '^CMake Error' "$work/said")" -ne 1 ]; then
        complain "add_stage($1): expected the one message \"$2\", got"
        cat "$work/said"
    fi
    rm -r stages/05_probe
}

expect() { # WHAT COMMAND...
    what=$1
    shift
    "$@" >"$work/said" 2>&1 || { complain "$what"; cat "$work/said"; }
}

# The fields of a stage's row of the table.
row() { # NAME
    awk -F '\t' -v name="$1" '$1 == name { $1 = $2 = ""; print }' build/stages.tsv | sed 's/^ *//'
}

# ---- What is wrong ----
there='there are 00_cpu_aos, 01_naive_gpu, 02_soa, 03_aa, 04_aa_fp16s, 05_probe'
refuses 'solver.cu FOLLOWS 04_aa DIFF 45' "05_probe: FOLLOWS \"04_aa\", which is no stage; $there"
refuses 'solver.cu FOLLOWS 03_aa DIFF 45 AGREES_WITH 4' "05_probe: AGREES_WITH \"4\", which is no stage; $there"
refuses 'solver.cu FOLLOWS 03_aa' '05_probe: DIFF is ""; it takes the number of lines'
refuses 'solver.cu FOLLOWS 03_aa DIFF 0' '05_probe: DIFF is "0"; it takes the number of lines'
refuses 'solver.cu FOLLOWS 03_aa DIFF few' '05_probe: DIFF is "few"; it takes the number of lines'
refuses 'solver.cu FOLLOW 03_aa DIFF 45' '05_probe: add_stage does not know "FOLLOW;03_aa"; it takes FOLLOWS, DIFF,'
refuses 'solver.cu' '00_cpu_aos and 05_probe follow no stage; only one may'
refuses 'solver.cu FOLLOWS' '05_probe: FOLLOWS lacks its value; it takes one'
refuses 'solver.cu FOLLOWS 03_aa DIFF 45 AGREES_WITH' '05_probe: AGREES_WITH lacks its value; it takes one'
refuses 'solver.cu FOLLOWS 03_aa DIFF 45' '05_probe: LAYOUT is "row"; it takes aos, soa, soa_moments, rows, lines or none' row
refuses 'solver.cu FOLLOWS 03_aa DIFF 45' '05_probe: LAYOUT lacks its value; it takes one' ''
refuses 'solver.cu FOLLOWS 03_aa DIFF 45 LAYOUT soa)
add_stage(solver.cu FOLLOWS 02_soa DIFF 45' '05_probe: a second add_stage; a folder holds one stage'
for name in 05-dash waits stages; do # test_waits and test_stages are targets
    add $name 04_aa_fp16s 'solver.cu FOLLOWS 03_aa DIFF 45'
    refuses 'solver.cu FOLLOWS 03_aa DIFF 45' "\"$name\" is no name for a stage: it takes a digit, and then letters, digits and _"
    rm -r stages/$name
done
refuses 'solver.cu FOLLOWS 05_probe DIFF 45' 'go in a circle, 05_probe -> 05_probe;'
add 04b_other 04_aa_fp16s 'solver.cu FOLLOWS 05_probe DIFF 45'
refuses 'solver.cu FOLLOWS 04b_other DIFF 45' 'go in a circle, 04b_other -> 05_probe -> 04b_other;'
add 04b_other 04_aa_fp16s 'solver.cu FOLLOWS 03_aa DIFF 45 AGREES_WITH 05_probe'
refuses 'solver.cu FOLLOWS 04b_other DIFF 45' 'go in a circle, 04b_other -> 05_probe -> 04b_other;'
rm -r stages/04b_other

# ---- What is right ----
# A branch with flags and a package of its own; one that follows a stage behind it by name; and some that are left out.
cat >"$work/ThingConfig.cmake" <<'END'
add_library(Thing::Thing_C INTERFACE IMPORTED)
set_target_properties(Thing::Thing_C PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR})
END
: >"$work/thing.h"
cat >"$work/HalfThereConfig.cmake" <<'END'
add_library(HalfThere::HalfThere_C INTERFACE IMPORTED)
set(HalfThere_FOUND FALSE)
END
add 03b_probe 03_aa 'solver.cu FOLLOWS 03_aa DIFF 5 FLAGS -DMINE=7 -DOTHER NVCC_FLAGS --no-such-flag-of-cc NEEDS Thing REGISTERS 80 TESTS rounding'
printf '#include "thing.h"\n#if MINE != 7 || !defined OTHER\n#error its flags are missing\n#endif\n' >>stages/03b_probe/solver.cu
printf '#if defined MINE || defined OTHER\n#error the flags of another stage\n#endif\n' >>stages/04_aa_fp16s/solver.cu
add 03c_early 03_aa 'solver.cu FOLLOWS 09_late DIFF 5'
add 09_late 03_aa 'solver.cu FOLLOWS 03b_probe DIFF 5 AGREES_WITH none ON_CHIP'
add 05_lost 03_aa 'solver.cu FOLLOWS 04_aa_fp16s DIFF 50 NEEDS NoSuchThing'
add 06_after 03_aa 'solver.cu FOLLOWS 05_lost DIFF 5'
add 07_like 03_aa 'solver.cu FOLLOWS 03_aa DIFF 5 AGREES_WITH 06_after'
add 08_half 03_aa 'solver.cu FOLLOWS 03_aa DIFF 5 NEEDS HalfThere'
for stage in 05_lost 06_after 07_like 08_half; do
    echo '#error this stage is left out' >>stages/$stage/solver.cu
done

expect 'it is not configured' configure
for line in '05_lost is left out: it needs NoSuchThing, which was not found' \
    '06_after is left out: it goes with 05_lost, which is left out' \
    '07_like is left out: it goes with 06_after, which is left out' \
    '08_half is left out: it needs HalfThere, which was not found'; do
    [ "$(grep -cFx -- "-- Stage $line" "$work/said")" -eq 1 ] || complain "CMake did not say: $line"
done
[ "$(row 03b_probe)" = "03_aa 03_aa 5 gpu yes -DMINE=7 -DOTHER -I$work --no-such-flag-of-cc 80" ] || complain "03b_probe: $(row 03b_probe)"
[ "$(row 04_aa_fp16s)" = '03_aa 03_aa 39 gpu yes - 64' ] || complain "04_aa_fp16s: $(row 04_aa_fp16s)"
[ "$(row 09_late)" = '03b_probe - 5 gpu yes - 64' ] || complain "09_late: $(row 09_late)"
[ "$(row 06_after)" = '05_lost 05_lost 5 gpu no - 64' ] || complain "06_after: $(row 06_after)"
[ "$(row 00_cpu_aos)" = '- - - cpu yes - 64' ] || complain "00_cpu_aos: $(row 00_cpu_aos)"

# Each behind the one that it follows: 03c_early is the last but those that are left out.
places=$(sed -n 's/\.[a-z_]* = //g;s/^ *{\(.*\)}, \/\/ \(.*\)/\2 \1/p' build/stages_table.c)
[ "$places" = '00_cpu_aos 0, 0, 0, 0, -1, 0
01_naive_gpu 1, 0, 0, 0, 0, 0
02_soa 1, 0, 0, 0, 1, 0
03_aa 1, 0, 0, 0, 2, 0
03b_probe 1, 0, 0, 0, 3, 0
04_aa_fp16s 1, 0, 0, 0, 3, 0
09_late 1, 0, 0, 1, 4, 6
03c_early 1, 0, 0, 0, 6, 6' ] || complain "the table of the stages is $places"

ctest --test-dir build -N >"$work/tests"
for kind in stage/ unit/beyond_32_bits_ unit/rounding_; do
    grep -q " ${kind}03b_probe/" "$work/tests" || complain "03b_probe has no tests $kind"
done
! grep '05_lost/' "$work/tests" || complain '05_lost has tests'
! grep 'unit/rounding_03_aa/' "$work/tests" || complain '03_aa has tests that it did not ask for'

expect 'lbm is not built' cmake --build build --target lbm -j 2
build/lbm list | awk 'NR > 1 && NF == 0 { exit } NR > 1 { print $1 }' >"$work/list"
echo "$places" | cut -d ' ' -f 1 | cmp -s - "$work/list" || complain "lbm list: $(cat "$work/list")"
expect 'lbm bench fails' build/lbm bench 02_soa 03_aa 03b_probe 04_aa_fp16s --sizes 8 --repeat 1 --csv bench.csv
awk -F , '/^#/ { next } !n++ { for (k = 1; k <= NF; k++) at[$k] = k; next }
    { speed[$1] = $at["mlups_mean"]; ratio[$1] = $at["over_before"] }
    function off(stage, over) { over = speed[stage] / speed["03_aa"]; return ratio[stage] / over - 1 }
    END { exit !(off("03b_probe") ^ 2 < 1e-10 && off("04_aa_fp16s") ^ 2 < 1e-10 && ratio["03_aa"] && !ratio["02_soa"]) }' \
    bench.csv || complain "x before is not over the stage that is followed: $(cat bench.csv)"

expect 'it is over its budget' sh tests/diff_budget.sh . build/stages.tsv
grep -qx '03_aa -> 03b_probe: 4 changed lines, at most 5' "$work/said" || complain '03b_probe is not compared with 03_aa'
grep -q '^03_aa -> 04_aa_fp16s: ' "$work/said" || complain '04_aa_fp16s is not compared with 03_aa'

command -v python3 >/dev/null || { echo 'the book is not looked at: python3 is not there'; exit $failed; }
expect 'the book is not prepared' python3 docs/tools/prepare.py "$PWD" "$PWD/build/stages.tsv" "$work/book"
for edge in '"03_aa" -> "03b_probe"' '"03_aa" -> "04_aa_fp16s"' '"03b_probe" -> "09_late"'; do
    grep -qFx "    $edge" "$work/book/map.dot" || complain "the map lacks $edge"
done
[ "$(grep -c ' -> ' "$work/book/map.dot")" -eq 11 ] || complain 'the map has edges too few or too many'
grep -qF -- '<span class="file">--- stages/03_aa/solver.cu</span>' "$work/book/html/diff_03b_probe.html" ||
    complain 'the diff of 03b_probe is not to 03_aa'
grep -q '<ins>+#if MINE' "$work/book/html/diff_03b_probe.html" || complain 'the diff of 03b_probe lacks what it adds'
[ -e "$work/book/html/record_bench_poiseuille_03b_probe.html" ] || complain '03b_probe has no table'
exit $failed
