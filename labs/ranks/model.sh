#!/bin/sh
# Usage: labs/ranks/model.sh RANKS.csv BENCH.csv >NEW.csv, for labs/results/ranks_model.csv. Strong scaling of
# 16384 x 16384 cells on paper, out of what was measured: RANKS.csv (labs/results/ranks.csv, its run 2) has the time of
# an exchange, BENCH.csv the speed of one GPU on grids of as many cells as a rank has. From GPU to GPU bytes go at
# 450 GB/s, half of what NVIDIA's data sheet of the H200 says of NVLink, which counts both ways.
set -eu
export LC_ALL=C
usage='usage: labs/ranks/model.sh RANKS.csv BENCH.csv'
ranks=${1:?$usage}
bench=${2:?$usage}
for table in "$ranks" "$bench"; do
    [ -f "$table" ] && [ -r "$table" ] || { echo "model: $table can't be read: it takes a table of speeds" >&2; exit 3; }
done
rows=$(awk -F, -v peer=450 '
    function need(stage, what) {
        if (!(what in speed) || !(speed[what] > 0)) {
            print "model: no speed of " stage " in " what > "/dev/stderr"
            exit failed = 3
        }
        return speed[what]
    }
    # Microseconds that one GPU takes for a step of so many cells, a square of a measured size.
    function compute(stage, size) { return size * size / need(stage, stage " " size) / 1e3 }
    # Microseconds of a step on four GPUs at 8192 x 8192.
    function four(stage, through) { return 8192 * 8192 / need(stage, stage " 8192x8192 4 " through) / 1e3 }
    # Bytes that a rank sends in an exchange.
    function bytes(stage, width) { return 2 * width * 4 * (stage ~ /^22/ ? 5 * 6 : 3) }

    /^#/ || $1 == "stage" { next }
    FNR == NR { if ($5 == 2) speed[$1 " " $2 " " $3 " " $4] = $6; next }
    { speed[$1 " " $2] = $7 / 1e3 }
    END {
        if (failed) exit failed
        long = bytes("22", 8192)
        short = bytes("20", 8192)
        for (n = split("host device", way, " "); n > 0; n--)
            once[way[n]] = four("20_ranks", way[n]) - compute("20_ranks", 4096)
        slope["host"] = (5 * four("22_deep_halo", "host") - once["host"]) / (long - short)
        slope["device"] = 1 / peer / 1e3
        print "gpus,rows,stage,through,kernels_us,exchange_us,step_us,over_one"
        for (s = 1; s <= split("20_ranks 21_overlap 22_deep_halo", stage, " "); s++)
            for (n = 1; n <= 2; n++)
                for (gpus = 4; gpus <= 1024; gpus *= 4) {
                    steps = stage[s] ~ /^22/ ? 5 : 1
                    t = compute(stage[s], 16384 / sqrt(gpus))
                    x = (once[way[n]] + slope[way[n]] * (bytes(stage[s], 16384) - short)) / steps
                    step = s == 1 ? t + x : t > x ? t : x
                    printf "%d,%d,%s,%s,%.1f,%.1f,%.1f,%.1f\n", gpus, 16384 / gpus, stage[s], way[n], t, x, step,
                        4 * compute(stage[s], 8192) / step
                }
    }' "$ranks" "$bench")
echo "# command: labs/ranks/model.sh $ranks $bench"
echo '# poiseuille on 16384 x 16384 cells, slabs of rows; times in microseconds for one step, most of them predicted'
echo '# exchange: a + b bytes; 20 adds it to the kernels, 21 and 22 hide it. over_one: over one GPU with the same stage'
echo "$rows"
