#!/bin/sh
# Usage: ranks.sh LBM STAGE ONE ROWS MPIEXEC... CASE. The program as mpirun starts it, with a stage that runs on ranks,
# ROWS layers a rank at least (rows in the plane); ONE is the stage that it was before. MPIEXEC... are the words that come
# before the number of ranks.
#   files    rank 0 alone speaks and writes, and what it writes is what one process would write
#   rows     there may be as many ranks as there are layers for, and no more
#   restart  ranks go on from a checkpoint of one process or of fewer ranks, and the other way round
#   refuses  what can't be is refused with one line and the exit code of one process
#   fails    what goes wrong on one rank, or on all, ends all with one line
#   ends     a signal ends all
set -eu
lbm=$1 stage=$2 one=$3 rows=$4
shift 4
folder=$(mktemp -d "${TMPDIR:-/tmp}/ranks.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
while [ $# -gt 1 ]; do
    mpiexec="${mpiexec:-} $1"
    shift
done

# What each rank runs: remembers its process, and takes LIMIT KiB of memory if it is among RANKS.
cat > rank.sh <<'END'
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
echo $$ > process.$rank
case ${RANKS:-none} in *$rank*) ulimit -v "$LIMIT" ;; esac
exec "$@"
END

# Flows in the plane, or in space: one for files and restarts, what it writes, the least layer, the largest size of bench.
if "$lbm" run "$one" duct --size 1x3x3 --steps 0 --quiet 2>err; then
    flow='duct --tau 0.6 --size 5x9' layers=x13 fewer=x12
    written='--csv cells.csv --vtk cells.vti'
    least='duct --size 1x3x' called=layers largest=1600
else
    flow='channel_cylinder --u 0.05 --re 20 --size 111' layers=x31 fewer=x30
    written='--sample 10 --probe 100,15 --forces forces.csv --probes probes.csv --csv cells.csv --vtk cells.vti'
    least='poiseuille --size 8x' called=rows largest=46340
fi

failed=0
complain() { echo "$*"; failed=1; }

# Runs the program on so many ranks; leaves what it said in `out` and `err`, and its exit code in $code.
ranks() { # COUNT WORD...
    count=$1
    shift
    code=0
    # shellcheck disable=SC2086
    $mpiexec "$count" sh rank.sh "$lbm" "$@" >out 2>err </dev/null || code=$?
}

# Expects an exit code and one line of the program on standard error, in which there is the text.
expect_line() { # CODE TEXT WHAT
    [ "$code" = "$1" ] || complain "$3: exit code $code, expected $1"
    [ "$(grep -c '^lbm: ' err)" = 1 ] || complain "$3: expected one line"
    grep -q "^lbm: .*$2" err || complain "$3: expected a line with \"$2\""
    [ "$failed" = 0 ] || cat err
}

files() {
    mkdir one
    # shellcheck disable=SC2086
    (cd one && "$lbm" run "$one" $flow$layers --steps 120 --every 50 $written >out)
    for count in 1 2 3 4; do
        # shellcheck disable=SC2086
        ranks $count run "$stage" $flow$layers --steps 120 --every 50 $written
        [ "$code" = 0 ] || complain "$count ranks: exit code $code"
        grep -qx "ranks     $count" out || complain "$count ranks: the head does not say so"
        for line in out one/out; do
            sed '/^stage\|^memory\|^ranks\|MLUPS/d' $line >$line.kept
        done
        cmp out.kept one/out.kept || complain "$count ranks: it says something else than one process"
        for file in one/*.csv one/*.vti; do
            file=${file#one/}
            cmp "$file" "one/$file" || complain "$count ranks: $file is not that of one process"
        done
        [ "$failed" = 0 ] || cat err
        rm -f ./*.csv ./*.vti
    done
}

rows() {
    few=$((4 * rows - 1))
    # shellcheck disable=SC2086
    ranks 4 run "$stage" $least$few
    expect_line 2 "4 ranks are too many for $few $called: $stage takes up to 3" 'too many ranks'
    [ ! -s out ] || complain 'too many ranks: it begins, and refuses then'
    # shellcheck disable=SC2086
    ranks 3 run "$stage" $least$few --steps 5
    [ "$code" = 0 ] || complain "as many ranks as there are $called for: exit code $code"
    # shellcheck disable=SC2086
    "$lbm" run "$stage" ${least}3 --steps 5 --quiet || complain "one rank: exit code $?"
    # Weak scaling: layers for each rank, where those of one would be too few for all.
    size=$rows
    [ "$size" -ge 3 ] || size=3
    ranks 4 bench "$stage" --sizes "64,$size" --repeat 1
    expect_line 2 'too many' "bench of $size $called on 4 ranks"
    ! grep "^$stage *64 " out || complain 'bench measures first, and refuses then'
    ranks 4 bench "$stage" --sizes "$size" --repeat 1 --weak
    [ "$code" = 0 ] || complain "bench --weak: exit code $code"
    grep -q 'x N cells on each rank' out || complain 'bench --weak does not say so'
    grep -q "^$stage *$size " out || complain 'bench --weak has no row'
    ranks 2 bench "$stage" --sizes "$size" --energy
    expect_line 2 'so it takes one rank' 'bench --energy on 2 ranks'
    # The ranks of a host share its memory: together they need as much as one; unless it has that much.
    awk '$1 == "MemAvailable:" { exit $2 > 2e8 }' /proc/meminfo || return 0
    needs() { "$@" | sed -n 's/.* at '$largest': needs \([0-9]*\)\..* main memory.*/\1/p'; }
    ranks 4 bench "$stage" --sizes "$largest,24" --repeat 1
    [ "$(needs cat out)" -ge 200 ] && [ "$(needs cat out)" = "$(needs "$lbm" bench "$stage" --sizes "$largest,3" --repeat 1)" ] ||
        complain "bench: 4 ranks of one host need $(needs cat out) GiB"
}

restart() {
    # shellcheck disable=SC2086
    "$lbm" run "$one" $flow$layers --quiet --steps 120 --checkpoint whole.vti
    # shellcheck disable=SC2086
    "$lbm" run "$one" $flow$layers --quiet --steps 41 --checkpoint state.vti
    for count in 1 2 3 4; do
        # shellcheck disable=SC2086
        ranks $count run "$stage" $flow$layers --quiet --steps $((41 + 10 * count)) --restart state.vti --checkpoint state.vti
        [ "$code" = 0 ] || { complain "$count ranks: exit code $code"; cat err; }
    done
    # shellcheck disable=SC2086
    "$lbm" run "$one" $flow$layers --quiet --steps 120 --restart state.vti --checkpoint state.vti
    cmp state.vti whole.vti || complain 'ranks that took turns made something else than one process'
    # shellcheck disable=SC2086
    ranks 3 run "$stage" $flow$fewer --quiet --restart state.vti
    expect_line 2 "it holds .*$layers cells" 'a checkpoint of another flow'
}

refuses() {
    ranks 2 run "$stage" cavity --size 0
    expect_line 2 'size' 'a bad size'
    ranks 2 run "$stage" cavity --csv /nowhere/a.csv
    expect_line 3 '/nowhere/a.csv' 'an unwritable file'
    ranks 3 run "$stage" cavity --size 20 --re 1e5 --steps 2000 --quiet
    sed -i '/warning/d' err
    expect_line 1 'diverged by step 1000' 'a flow that diverges'
    ranks 3 bench "$stage" --sizes 2
    expect_line 2 'size 2x2 is too small' 'a bad size for bench'
}

# 3000 x 3000 cells need 300 MiB on each of two ranks; what MPI takes of addresses for itself is in the limit.
fails() {
    export LIMIT=600000
    for RANKS in 0 1 01; do
        export RANKS
        ranks 2 run "$stage" cavity --size 3000 --steps 1 --quiet
        expect_line 3 'memory' "no memory on ranks $RANKS"
    done
}

# Sends a signal to one of four ranks at work.
signal() { # SIGNAL RANK
    rm -f process.* a.csv out
    ranks 4 run "$stage" cavity --size 64 --re 100 --steps 100000000 --csv a.csv &
    waiter=$!
    while [ ! -s process.3 ] || ! grep -q ranks out 2>/dev/null; do sleep 0.1; done
    sleep 1
    kill "-$1" "$(cat "process.$2")"
    began=$(date +%s)
    for process in process.*; do
        while kill -0 "$(cat "$process")" 2>/dev/null; do
            [ $(($(date +%s) - began)) -le 20 ] || {
                complain "$1 to rank $2: rank ${process#*.} still runs"
                kill -KILL "$(cat "$process")"
            }
            sleep 0.1
        done
    done
    wait "$waiter" || true
}

ends() {
    signal KILL 2
    [ ! -e a.csv ] || complain 'a killed rank: a file was written'
    signal KILL 0
    signal INT 0
    grep -q '^lbm: interrupted at step .* wrote a.csv$' err || complain 'SIGINT to rank 0: it does not say so'
    [ "$(wc -l <a.csv)" = 4098 ] || complain 'SIGINT to rank 0: no file, or not the whole of it'
    signal TERM 1
    grep -q '^lbm: interrupted at step .*(signal 15); wrote a.csv$' err || complain 'SIGTERM to rank 1: it does not say so'
    [ "$(wc -l <a.csv)" = 4098 ] || complain 'SIGTERM to rank 1: no file, or not the whole of it'
}

"$1"
exit $failed
