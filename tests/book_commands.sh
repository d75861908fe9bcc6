#!/bin/sh
# Usage: book_commands.sh BUILD KIND FILE... Runs the blocks of commands in these Markdown files, ```sh for KIND sh or
# ```sh KIND, in a copy of the source folder in which `build` is BUILD, and compares what they print with the ```text
# block that follows, as far as that goes. The other kinds: slow, gpu and terminal (need one),
# yours (needs a file of the reader's own), mpi (needs as many cores as ranks, and an MPI library). Of the lines
# with cmake and ctest, which would build and test while this is a test itself, it is checked that the presets and
# targets they name exist. Lines with --watch need a terminal and are left out. Where the build has no Cairo or lacks a
# stage, a block that uses it may be refused, in the program's own words.
set -eu
export LC_ALL=C
build=$(cd "$1" && pwd)
kind=$2
shift 2
[ "$kind" = sh ] && fence='```sh' || fence="\`\`\`sh $kind"
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
for entry in "$source"/*; do
    case $(basename "$entry") in
    build*) ;;
    stages) cp -r "$entry" "$work/tree" ;;
    *) ln -s "$entry" "$work/tree" ;;
    esac
done
ln -s "$build" "$work/tree/build"
targets=$(cmake --build "$build" --target help)
presets=$(cd "$source" && cmake --list-presets=all)
lacking=$(awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } $at["built"] == "no" { printf "%s|", $1 }' "$build/stages.tsv")
grep -q '^can_draw:INTERNAL=yes' "$build/CMakeCache.txt" || lacking="$lacking--png |--plot |"
lacking=${lacking%|}
failed=0
count=0
refused=0

complain() {
    echo "$*"
    failed=1
}

# Ninja lists no target that others need: but a program has a folder for its objects.
has_target() { # NAME
    echo "$targets" | grep -q "^\.\.\. $1\$\|^$1: " || [ -n "$(find "$build" -type d -name "$1.dir" -print -quit)" ]
}

# The block's text without the lines that set up; these are checked here.
check_setup() { # LINE
    set -- $(echo "$1" | sed 's/#.*//')
    while [ $# -gt 0 ]; do
        case $1 in
        --preset) echo "$presets" | grep -q "\"$2\"" || complain "$where: there is no preset $2" ;;
        --target) has_target "$2" || complain "$where: there is no target $2" ;;
        esac
        shift
    done
}

# Whether the block uses what the build lacks, and the program says so.
is_lacking() {
    [ -n "$lacking" ] && grep -qE -e "$lacking" "$work/run" &&
        grep -qE '^lbm: (.*: this build lacks Cairo |unknown stage )' "$work/output"
}

run_block() {
    grep -E '^(cmake|ctest|git clone|cd|apt) ' "$work/block" >"$work/setup" || :
    grep -vE '^(cmake|ctest|git clone|cd|apt) |--watch' "$work/block" >"$work/script" || :
    while read -r line; do check_setup "$line"; done <"$work/setup"
    rm -f "$work/output"
    grep -q '[^[:space:]]' "$work/script" || return 0
    # Stages that a reader adds are built by the lines left out; the shipped one stands in for them.
    sed 's/03b_mine/03_aa/g; /^cp -r stages/d; s/^diff .*/& || test $? -eq 1/' "$work/script" >"$work/run"
    count=$((count + 1))
    if ! (cd "$work/tree" && timeout 1800 sh -e "$work/run" >"$work/output" 2>&1 </dev/null); then
        if is_lacking; then
            refused=$((refused + 1))
            rm "$work/output"
            return
        fi
        complain "$where: failed:"
        cat "$work/run" "$work/output"
    fi
}

compare() {
    [ -e "$work/output" ] || return 0
    head -n "$(wc -l <"$work/expected")" "$work/output" | cmp -s - "$work/expected" && return
    complain "$where: printed something else than the page says:"
    diff "$work/expected" "$work/output" || :
}

for file in "$@"; do
    # Cuts the file into blocks: a line "RUN n" or "EXPECT n", the block, a line "END".
    awk -v fence="$fence" '
        $0 == fence { print "RUN " FNR; on = 1; next }
        /^```text$/ { if (ran) print "EXPECT " FNR; on = ran; next }
        /^```/ { if (on) print "END"; ran = on; on = 0; next }
        on' "$file" >"$work/blocks"
    into=
    while IFS= read -r line; do
        case $line in
        'RUN '[0-9]*) into=$work/block; : >"$into"; where=$file:${line#RUN } ;;
        'EXPECT '[0-9]*) into=$work/expected; : >"$into"; where=$file:${line#EXPECT } ;;
        END) if [ "$into" = "$work/block" ]; then run_block; else compare; fi ;;
        *) printf '%s\n' "$line" >>"$into" ;;
        esac
    done <"$work/blocks"
done
echo "$count blocks of commands, of which $refused use what this build lacks"
[ $count -gt 0 ] || complain 'no commands were found'
exit $failed
