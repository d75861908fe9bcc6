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
#   energy   the power of all ranks' GPUs is added up; LBM has a sensor made up for the test
set -eu
export LC_ALL=C
lbm=$1 stage=$2 one=$3 rows=$4
shift 4
folder=$(mktemp -d "${TMPDIR:-/tmp}/ranks.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
while [ $# -gt 1 ]; do
    mpiexec="${mpiexec:-} $1"
    shift
done

# What each rank runs: remembers its process, and takes LIMIT KiB of memory if it is among RANKS, has a
# sensor of the kind HOW if it is among BLIND.
cat > rank.sh <<'END'
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
echo $$ > process.$rank
case ${RANKS:-none} in *$rank*) ulimit -v "$LIMIT" ;; esac
case ${BLIND:-none} in *$rank*) export FAKE_NVML="$HOW" ;; esac
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
    for count in 1 3; do
        # shellcheck disable=SC2086
        ranks $count run "$stage" $flow$layers --steps 120 --every 50 $written
        [ "$code" = 0 ] || complain "$count ranks: exit code $code"
        grep -qx "ranks     $count" out || complain "$count ranks: the head does not say so"
        for line in out one/out; do
            sed '/^stage\|^memory\|^ranks\|^hint\|MLUPS/d' $line >$line.kept
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
    # The ranks of a host share its memory: together they need as much as one; unless it has that much.
    awk '$1 == "MemAvailable:" { exit $2 > 1e8 }' /proc/meminfo || return 0
    needs() { "$@" | sed -n 's/.* at '$largest': needs \([0-9]*\)\..* main memory.*/\1/p'; }
    ranks 4 bench "$stage" --sizes "$largest,24" --repeat 1
    [ "$(needs cat out)" -ge 100 ] && [ "$(needs cat out)" = "$(needs "$lbm" bench "$stage" --sizes "$largest,3" --repeat 1)" ] ||
        complain "bench: 4 ranks of one host need $(needs cat out) GiB"
}

restart() {
    # shellcheck disable=SC2086
    "$lbm" run "$one" $flow$layers --quiet --steps 120 --checkpoint whole.vti
    # shellcheck disable=SC2086
    "$lbm" run "$one" $flow$layers --quiet --steps 41 --checkpoint state.vti
    steps=41
    for count in 3 1 2; do
        steps=$((steps + 10))
        # shellcheck disable=SC2086
        ranks $count run "$stage" $flow$layers --quiet --steps $steps --restart state.vti --checkpoint state.vti
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

# Measures on so many ranks, and compares a column with a number.
measure() { # COUNT
    ranks "$1" bench "$stage" --sizes 32 --repeat 2 --energy --csv a.csv
    [ "$code" = 0 ] && [ ! -s err ] || { complain "$1 ranks: exit code $code"; cat err; }
}
expect_column() { # NAME LEAST MOST; without LEAST: an empty cell
    awk -F, -v name="$1" -v least="${2:-}" -v most="${3:-}" '
        /^#/ { next }
        !n { for (n = NF; n > 0 && $n != name; n--); next }
        { value = $n; rows++ }
        END { exit !(rows == 1 && n && (least == "" ? value == "" : value != "" && value >= least && value <= most)) }' a.csv ||
        { complain "$1: not from \"${2:-}\" to \"${3:-}\":"; cat a.csv; }
}
cell() { awk -F, -v name="$1" '/^#/ { next } !n { for (n = NF; $n != name; n--); next } { print $n }' a.csv; }
nanojoules() { awk -v watts="$1" -v mlups="$2" -v by="$3" 'BEGIN { print 1e3 * by * watts / mlups }'; }

# The made-up GPU of rank r draws r + 1 times as much as that of rank 0 and has a clock that is 100 r MHz lower.
energy() {
    export LBM_COPY_MIB=8 LBM_REPEAT_MS=400 FAKE_NVML=works
    for count in 1 3; do
        measure $count
        sum=$((count * (count + 1) / 2))
        expect_column sampled_w $((500 * sum)) $((500 * sum))
        expect_column counted_w $((475 * sum)) $((565 * sum))
        for kind in counted sampled; do
            watts=$(cell ${kind}_w)
            expect_column ${kind}_nj "$(nanojoules "$watts" "$(cell mlups_max)" 0.999)" "$(nanojoules "$watts" "$(cell mlups_min)" 1.001)"
        done
        expect_column clock_min_mhz $((1600 - 100 * count)) $((1600 - 100 * count))
        grep -q ',power_cap+sw_thermal$' a.csv || complain "$count ranks: what holds the clock down"
    done
    expect_column clock_median_mhz 1690 1710 # of 3 ranks: that of the one in the middle
    [ "$(grep -c '^# energy: rank [012]: device: NVML, a sample' a.csv)" = 3 ] || complain '3 ranks: not a line of each'

    FAKE_NVML=shared LBM_REPEAT_MS=100
    measure 3
    expect_column sampled_w 500 500
    [ "$(grep -c '^# energy: rank [12]: device: that of rank 0, which counts once$' a.csv)" = 2 ] || complain 'a shared GPU: no line says so'

    FAKE_NVML=works
    export BLIND=1 HOW=no_counter
    measure 2
    expect_column sampled_w 1500 1500
    expect_column counted_w
    expect_column counted_nj
    expect_column throttle
    grep -q '^# energy: rank 1: .*; no energy counter (Not Supported)' a.csv || complain 'no counter on rank 1: no line says so'
    HOW=blind
    measure 3
    for name in counted_w sampled_w counted_nj sampled_nj clock_min_mhz clock_median_mhz; do
        expect_column $name
    done
    grep -q '^# energy: rank 1: .*; no power (Not Supported)' a.csv || complain 'a blind rank 1: no line says so'
    BLIND=1 HOW=zero
    measure 2
    for name in counted_w sampled_w clock_min_mhz throttle; do
        expect_column $name
    done
    grep -q "^# energy: $stage at 32: dashes, since the sensor can't be right: power of 0 W" a.csv || complain 'a rank 1 that tells zeros: no line says so'
    BLIND=0 HOW=no_driver
    measure 2
    expect_column sampled_w
    grep -q '^# energy: rank 0: device: no sensor .*"Driver Not Loaded"' a.csv || complain 'no driver on rank 0: no line says so'
}

"$1"
exit $failed
