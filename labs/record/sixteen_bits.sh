#!/bin/sh
# Usage: labs/record/sixteen_bits.sh BUILD_DIR OUT.csv [FLOW/SIZE...]. How fast the stages from 03 to 07 are in several
# flows, one after another on the same device, and what the device draws and at which clock it runs meanwhile: power
# and clock are means over the samples of nvidia-smi, 20 a second, at which it draws at least half of the most: while it
# computes. least_mhz is the lowest clock among them, capped_percent the share in which the power limit held it down.
set -eu
export LC_ALL=C

usage='usage: labs/record/sixteen_bits.sh BUILD_DIR OUT.csv [FLOW/SIZE...]'
lbm=${1:?$usage}/lbm
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- poiseuille/4096 poiseuille/8192 cavity/4096 cavity/8192 taylor_green/4096 taylor_green/8192
stages='03_aa 04_aa_fp16s 05_links 06_two_cells 07_stochastic'

fail() {
    echo "sixteen_bits: $*" >&2
    exit 3
}

[ ! -e "$out" ] || [ -f "$out" ] || fail "OUT is $out: a table is a file, not a folder or a device"
[ -x "$lbm" ] || fail "$lbm is not there: build first"
command -v nvidia-smi >/dev/null || fail 'nvidia-smi, which tells power and clock, is not there'

work=$(mktemp -d)
table=$(mktemp "$out.XXXXXX")
sampler=
trap '[ -z "$sampler" ] || kill "$sampler" 2>/dev/null || true; rm -rf "$work" "$table"' EXIT
trap 'exit 130' INT TERM HUP

{
    echo "# command: labs/record/sixteen_bits.sh BUILD_DIR $out $*"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$lbm" --version)"
    echo "# device, driver, power limit: $(nvidia-smi -i 0 --query-gpu=name,driver_version,power.limit --format=csv,noheader)"
    echo "# block 128x1, 3 repeats; over_before: times the stage before; watts, mhz, least_mhz, capped_percent: while it computes"
    echo "flow,size,stage,mlups,cv_percent,copy_percent,over_before,watts,mhz,least_mhz,capped_percent"
} >"$table"

for case in "$@"; do
    flow=${case%/*}
    size=${case#*/}
    before=
    for stage in $stages; do
        nvidia-smi -i 0 --query-gpu=power.draw.instant,clocks.sm,clocks_event_reasons.sw_power_cap --format=csv,noheader,nounits -lms 50 >"$work/samples" &
        sampler=$!
        "$lbm" bench "$stage" --scenario "$flow" --sizes "$size" --block 128x1 --repeat 3 --csv "$work/bench.csv" >/dev/null
        kill "$sampler"
        wait "$sampler" 2>/dev/null || true
        sampler=
        load=$(awk -F', ' 'NF != 3 || $1 !~ /^[0-9.]+$/ { next } $1 + 0 > most { most = $1 } { rows++; watts[rows] = $1 + 0; mhz[rows] = $2 + 0; capped[rows] = $3 == "Active" } END {
            for (n = 1; n <= rows; n++)
                if (watts[n] >= 0.5 * most) {
                    count++; w += watts[n]; c += mhz[n]; held += capped[n]
                    if (count == 1 || mhz[n] < least) least = mhz[n]
                }
            if (count) printf "%.0f,%.0f,%d,%.0f", w / count, c / count, least, 100 * held / count
        }' "$work/samples")
        [ -n "$load" ] || fail "nvidia-smi tells no power and clock: it says \"$(head -n 1 "$work/samples")\""
        row=$(awk -F, -v before="$before" '
            /^#/ { next }
            !seen++ { for (n = 1; n <= NF; n++) column[$n] = n; next }
            {
                speed = $column["mlups_mean"]
                printf "%.0f,%.2f,%.1f,%s", speed, $column["cv_percent"], $column["copy_percent"], before == "" ? "" : sprintf("%.3f", speed / before)
            }' "$work/bench.csv")
        before=${row%%,*}
        echo "$flow,$size,$stage,$row,$load" | tee -a "$table"
    done
done
chmod 644 "$table"
mv "$table" "$out"
