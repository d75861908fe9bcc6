#!/bin/sh
# Usage: labs/runs/runs.sh BUILD OUT.csv. The reference table of whole runs: makes typical runs with `lbm run`, three
# times each, and writes of the fastest where its time went, in seconds, with the wall time of the program and the
# most memory that it took. Without a GPU the runs are those of the CPU. Files go to a folder that vanishes at the end.
set -eu
export LC_ALL=C
[ $# -eq 2 ] || { echo 'usage: labs/runs/runs.sh BUILD OUT.csv' >&2; exit 2; }
lbm=$(cd "$1" && pwd)/lbm
[ -x "$lbm" ] || { echo "runs: $lbm is not there: build first" >&2; exit 3; }

head=$("$lbm" bench 02_soa --sizes 64 --repeat 1)
device=$(echo "$head" | sed -n 's/^device *//p')
case $device in
*emulator*)
    runs='12_cpu_pairs cavity --size 512 --re 1000 --steps 20000 --steady 1e-9
12_cpu_pairs channel_cylinder --size 442x84 --re 100 --forces f.csv' ;;
*)
    runs='02_soa channel_cylinder --size 884x166 --re 100 --steps 20000 --forces f.csv
02_soa taylor_green --size 8192 --steps 1000
35_async cavity --size 4096 --re 1000 --steps 10000
35_async cavity --size 8192 --re 1000 --steps 10000
35_async channel_cylinder --size 3526x660 --re 100 --steps 20000 --forces f.csv
35_async taylor_green --size 4096 --steps 10000 --vtk v.vti --every 1000
44_columns channel_cylinder --size 442x84 --re 100 --steps 40000 --forces f.csv
50_d3q19 abc --size 512 --steps 1000
55_pieces_3d cube --size 512 --re 1000 --steps 5000
55_pieces_3d sphere --size 400x240x240 --re 100 --steps 5000 --forces f.csv' ;;
esac

out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
table=$(mktemp "$out.XXXXXX")
trap 'rm -rf "$work" "$table"' EXIT
trap 'exit 130' INT TERM HUP
disk=$(dd if=/dev/zero of="$work/disk" bs=4M count=100 conv=fsync 2>&1 | sed -n '$s/.*, //p')
rm "$work/disk"
{
    echo "# command: labs/runs/runs.sh BUILD OUT.csv"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$lbm" --version)"
    echo "# device: $device"
    echo "$head" | sed -n 's/^host  */# host: /p'
    echo "# disk: $disk for a file of 419 MB with fsync"
    echo "# seconds of the fastest of 3 runs; memory: the most main memory that the program took, MiB"
    echo 'stage,flow,size,options,set_up,steps,looks,files,all,wall,steps_percent,mlups_steps,mlups_all,memory_mib'
} >"$table"

# Prints where the time of a run went. A run that is not steady in the end has one, too.
one_run() { # WORD...
    begin=$(date +%s.%N)
    "$lbm" run "$@" >said 2>errors &
    memory=
    while grep -s VmHWM /proc/$!/status >peak; do # the peak of memory so far, until the program ends
        memory=$(tr -dc 0-9 <peak)
        sleep 0.05
    done
    wait $! || true
    end=$(date +%s.%N)
    grep -q '^time ' said || { echo "runs: lbm run $*: $(tail -n 1 errors)" >&2; exit 3; }
    echo "$begin $end $memory" | cat - said | awk '
        NR == 1 { wall = $2 - $1; memory = $3 / 1024 }
        /^steps / { mlups = $(NF - 1) }
        /^time / { printf "%s %s %s %s %s %.2f %s %s %s %.0f\n", $3, $6, $9, $12, $19, wall, $17, mlups, $21, memory }'
}

cd "$work"
echo "$runs" | while read -r run; do
    echo "== lbm run $run" >&2
    for n in 1 2 3; do
        # shellcheck disable=SC2086
        one_run $run
        rm -f ./*.vti ./*.pvd ./*.csv
    done | sort -k 6,6g | head -n 1 | tr -d '%,' | awk -v run="$run" '
        { split(run, word); options = run; sub(/.*--size [^ ]* ?/, "", options); gsub(/ /, ",")
          print word[1] "," word[2] "," word[4] "," options "," $0 }'
done >>"$table"
cd - >/dev/null
chmod 644 "$table"
mv "$table" "$out"
