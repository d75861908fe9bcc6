#!/bin/sh
# Usage: labs/cpu/machines.sh >labs/results/cores_predicted.csv. What predict.sh says of three machines, as if their cores
# were those of labs/results/cpu.csv, on which stage 12 makes 973.7 MLUPS in the cache and one core copies 50.8 GB/s
# (labs/results/cpu_threads.csv). For stage 13 (72 bytes an update), for six moments a cell (48), and for a stage that
# makes eight steps for each fetch (9).
set -eu
export LC_ALL=C
predict=$(dirname "$0")/predict.sh

cat <<'END'
# what: a prediction by the model of docs/how_many_cores.md, as if each core were one of labs/results/cpu.csv; nothing here is measured but one_gbs and all_gbs of the Xeon
# Ryzen 7 7800X3D: two channels of DDR5-5200, 8 bytes each (AMD, product specifications): 83.2 GB/s at most
# Xeon beside an H200: one core and 16 copy in place, labs/results/nvidia-h200/bench_poiseuille.csv
# EPYC 9554: 460.8 GB/s at most (Tom's Hardware 2021, of its generation)
# command: labs/cpu/machines.sh >labs/results/cores_predicted.csv
machine,cores,one_gbs,all_gbs,bytes,least_mlups,most_mlups,limit,cores_until_memory
END
while read -r cores one all machine; do
    for bytes in 72 48 9; do
        sh "$predict" 973.7 "$one" "$all" $bytes "$cores" | tail -n 1 |
            sed "s/^[0-9]*/$machine,$cores,$one,$all,$bytes/"
    done
done <<'END'
8 50.8 83.2 Ryzen 7 7800X3D
16 14.6 125.2 Xeon beside an H200
64 50.8 460.8 EPYC 9554
END
