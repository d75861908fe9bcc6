#!/bin/sh
# Usage: labs/moments_16/runs.sh BUILD_DIR OUT.csv [SIDE]. What the stage with moments in 16 bits makes of large flows
# on a GPU: the cube at Re 1000, beside the stage with floats; a cube of SIDE (1568) cells a side; vortices at Re 1600.
set -eu
export LC_ALL=C

usage='usage: labs/moments_16/runs.sh BUILD_DIR OUT.csv [SIDE]'
build=${1:?$usage}
out=${2:?$usage}
side=${3:-1568}
floats=55_pieces_3d sixteen=56_sixteen_bits_3d
for program in lbm dissipation; do
    [ -x "$build/$program" ] || { echo "runs: $build/$program is not there: build first" >&2; exit 3; }
done
command -v nvidia-smi >/dev/null || { echo 'runs: nvidia-smi is not there: no GPU' >&2; exit 3; }
work=$(mktemp -d)
table=$(mktemp "$out.XXXXXX")
trap 'rm -rf "$work" "$table"' EXIT
trap 'exit 130' INT TERM HUP

used() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0; }

# A run; the memory is the most that the device had in use, less what it had before.
cube() { # STAGE SIDE STEPS
    before=$(used)
    "$build/lbm" run "$1" cube --size "$2" --re 1000 --steps "$3" >"$work/said" &
    while kill -0 $! 2>/dev/null; do
        used
        sleep 0.2
    done >"$work/memory"
    wait $!
    awk -v row="cube,$2,1000,$3,$1" -v cells="$2" -v before="$before" '
        FNR == NR { if ($1 > most) most = $1; next }
        $1 == "steps" { glups = $(NF - 1) / 1000 }
        $1 == "mass" { gsub(",", ""); mass = $4 }
        $1 == "error" && $2 + 0 > 0 { error = 100 * $2 }
        $1 == "time" { set_up = $3; looks = $9 }
        END { printf "%s,%.3g,%s,,%.2f,%s,%s,%d,%.1f\n", row, error, mass, glups, set_up, looks, most - before,
                     (most - before) * 1048576 / cells ^ 3 }' "$work/memory" "$work/said"
}

{
    echo "# command: labs/moments_16/runs.sh BUILD_DIR OUT.csv $side"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$build/lbm" --version)"
    echo "# device: $("$build/lbm" bench 50_d3q19 --sizes 8 --repeat 1 | sed -n 's/^device *//p')"
    cat <<'HEAD'
# error: percent of the lid speed from the published extrema; mass: relative drift; loss: fastest fall of the energy, over
# speed^3 / length, from t = 8.8 on; set_up, looks: seconds; device_mib: memory in use on the device, and in bytes a cell
flow,side,re,steps,stage,error,mass,loss,glups,set_up,looks,device_mib,bytes_per_cell
HEAD
    cube $floats 130 50000
    cube $sixteen 130 50000
    cube $sixteen "$side" 1000
    "$build/dissipation" $sixteen 512 1600 6 0.05 8.8 |
        awk -F, '/^[0-9]/ && $3 + 0 > most { most = $3 + 0 }
            END { printf "taylor_green_3d,512,1600,16297,'$sixteen',,,%.6f,,,,,\n", most }'
} >"$table"
chmod 644 "$table"
mv "$table" "$out"
