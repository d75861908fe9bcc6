#!/bin/sh
# mutants.sh SOURCE SCRATCH CMAKE CTEST JOBS BACKEND: plants each mistake of mutants.txt in a copy of the tree, and
# says which test finds it. LBM_MUTANTS, a regular expression, chooses some by file and name. Fails if one survives,
# if one no longer changes its file or doesn't build, or if a test fails without any.
set -eu
export LC_ALL=C
source=$1 scratch=$2 cmake=$3 ctest=$4 jobs=$5 backend=$6
tree=$scratch/tree build=$scratch/build list=$source/tests/mutants/mutants.txt
log=$scratch/log chosen=$scratch/chosen

fail() {
    echo "mutants: $1" >&2
    exit 1
}

# Builds the programs that tests are cases of: LABEL/PROGRAM/CASE.
build_for() {
    targets=$(printf '%s\n' $1 | cut -d/ -f2 | sort -u | sed 's/^/test_/')
    "$cmake" --build "$build" -j "$jobs" --target $targets >"$log" 2>&1
}

# Runs tests up to the first that fails; says which that is.
run_tests() {
    for pattern in $1; do
        "$ctest" --test-dir "$build" -R "^$pattern" -LE slow --no-tests=error --stop-on-failure --timeout 60 \
            >"$log" 2>&1 </dev/null && continue # mpirun would read the rest of the list
        sed -n -e 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' -e "s!^No tests were found.*!$pattern (no such test)!p" \
            "$log" | head -n 1
        return 1
    done
}

rm -rf "$scratch"
mkdir -p "$tree"
awk -f "$source/tests/mutants/entries.awk" "$list" >"$scratch/entries"
awk -F '\t' -v names="${LBM_MUTANTS:-}" '$1 ~ names' "$scratch/entries" >"$chosen"
[ -s "$chosen" ] || fail "no name matches \"$LBM_MUTANTS\""

(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | (cd "$tree" && tar xf -)
"$cmake" -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release -DLBM_BACKEND="$backend" >"$log" 2>&1 ||
    fail "the copy of the tree can't be configured, see $log"
tests=$(cut -f4 "$chosen" | tr ' ' '\n' | sort -u)
build_for "$tests" || fail "the copy of the tree can't be built, see $log"
failed=$(run_tests "$tests") || fail "$failed fails without any mistake"

found=0 survivors=0 broken=0 tab=$(printf '\t')
while IFS=$tab read -r name file change tests; do
    sed "$change" "$source/$file" >"$tree/$file"
    if cmp -s "$source/$file" "$tree/$file"; then
        echo "$name: CHANGES NOTHING"
        broken=$((broken + 1))
    elif ! build_for "$tests"; then
        echo "$name: DOES NOT BUILD"
        broken=$((broken + 1))
    elif finder=$(run_tests "$tests"); then
        echo "$name: SURVIVES"
        survivors=$((survivors + 1))
    else
        echo "$name: found by $finder"
        found=$((found + 1))
    fi
    cp "$source/$file" "$tree/$file"
done <"$chosen"
echo "$found mistakes were found, $survivors survive, $broken could not be planted"
[ $((survivors + broken)) -eq 0 ]
