# shellcheck shell=sh
# What the scripts beside this file share: they say NAME=..., take BUILD and OUT as their first arguments, and read this.
export LC_ALL=C
unset OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_WAIT_POLICY # nproc obeys two of them
all_cores=$(nproc)
root=$(cd "$(dirname "$0")/../.." && pwd)

fail() { # EXIT_CODE TEXT
    echo "$NAME: $2" >&2
    exit "$1"
}

# Integers from 1 on.
require_numbers() { # WHAT NUMBER...
    what=$1
    shift
    for number in "$@"; do
        case $number in
        '' | 0* | *[!0-9]*) fail 2 "$what is \"$number\"; it takes an integer from 1 on" ;;
        esac
        if [ "$what" = SIZE ] && { [ ${#number} -gt 5 ] || [ "$number" -lt 3 ] || [ "$number" -gt 65535 ]; }; then
            fail 2 "SIZE is \"$number\"; it takes an integer from 3 to 65535"
        fi
    done
}

# Sets build, table, which is to become OUT, work, a folder that goes at the end, and compiler, the one of the build.
# Builds the programs named, too.
prepare() { # BUILD OUT [PROGRAM...]
    [ -e "$1/stages.tsv" ] || fail 3 "$1/stages.tsv is not there: BUILD is a folder that cmake -B has set up"
    build=$(cd "$1" && pwd)
    [ ! -d "$2" ] || fail 3 "can't write $2: it is a folder"
    table=$(mktemp "$2.XXXXXX" 2>/dev/null) || fail 3 "can't write $2"
    work=$(mktemp -d)
    trap 'rm -rf "$work" "$table"' EXIT
    trap 'exit 130' INT TERM HUP
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
    shift 2
    cmake --build "$build" --target one_run lbm "$@" >"$work/log" 2>&1 || fail 3 "the program that times does not build: $(grep -m 1 error "$work/log")"
    load=$(cut -d ' ' -f 1-3 /proc/loadavg)
}

# The flags of a stage, from the build's table.
flags_of() { # STAGE
    awk -F '\t' -v stage="$1" '$1 == stage { sub(/^-$/, "", $8); print $8 }' "$build/stages.tsv"
}

# Compiles $work/NAME.so out of a solver.
compile() { # NAME COMPILER SOLVER FLAG...
    library=$work/$1.so
    with=$2
    solver=$3
    shift 3
    (cd "$root" && "$with" -std=c17 -O3 -ffp-contract=off -Icommon -DSTAGE=stage -DSTAGE_NAME='""' \
        "$@" -fPIC -shared "$solver" -o "$library") >"$work/log" 2>&1 ||
        fail 3 "$solver does not compile: $(grep -m 1 -E 'error' "$work/log" || head -n 1 "$work/log")"
}

# One run; adds "KEY... CPU_MLUPS WALL_MLUPS" to the measured ones.
time_one() { # KEY SOLVER_NAME SIZE [HEIGHT]
    speed=$("$build/one_run" "$work/$2.so" "$3" ${4+"$4"} 2>"$work/log") || fail 3 "$1: $(head -n 1 "$work/log")"
    echo "$1 $speed" >>"$work/measured"
}

# The head of a table.
head_lines() { # WHAT
    echo "# what: $1"
    echo "# machine: $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $all_cores cores; $("$compiler" --version | head -n 1)"
    echo "# load average before: $load"
    echo "# program: $("$build/lbm" --version 2>/dev/null || echo unknown)"
    echo "# date: $(date -u +%Y-%m-%d)"
}
