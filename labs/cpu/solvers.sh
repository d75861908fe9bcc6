# shellcheck shell=sh
# What the scripts beside this file share: they say NAME=..., take BUILD and OUT as their first arguments, and read this.
export LC_ALL=C
unset OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_WAIT_POLICY # nproc obeys two of them
all_cores=$(nproc)
largest_size=65535
root=$(cd "$(dirname "$0")/../.." && pwd)

fail() { # EXIT_CODE TEXT
    echo "$NAME: $2" >&2
    exit "$1"
}

# Integers that the programs take, too.
require_numbers() { # WHAT NUMBER...
    what=$1 least=1 greatest=1000
    shift
    case $what in
    SIZE) least=3 greatest=$largest_size ;;
    STEPS) greatest=1000000 ;;
    CORES) greatest=$all_cores ;;
    esac
    for number in "$@"; do
        case $number in
        '' | 0* | *[!0-9]* | ????????*) ;;
        *) [ "$number" -lt $least ] || [ "$number" -gt "$greatest" ] || continue ;;
        esac
        fail 2 "$what is \"$number\"; it takes an integer from $least to $greatest"
    done
}

# Sets table, beside OUT, which it is to replace.
make_table() { # OUT
    [ -n "$1" ] || fail 2 'OUT is ""; it takes the path of a file'
    if [ -e "$1" ] && [ ! -f "$1" ]; then
        fail 2 "OUT is \"$1\", which is no regular file; it takes one, or a path where nothing is"
    fi
    table=$(mktemp "$1.XXXXXX" 2>/dev/null) ||
        fail 2 "OUT is \"$1\"; it takes a path in a folder that is there and can be written"
}

# What a program or a compiler said first, in $work/log.
first_said() {
    sed '1!d; s/^lbm: //' "$work/log"
}

# Sets build, table, which is to become OUT, work, a folder that goes at the end, and compiler, the one of the build.
# Builds the programs named, too.
prepare() { # BUILD OUT [PROGRAM...]
    [ -e "$1/stages.tsv" ] || fail 3 "$1/stages.tsv is not there: BUILD is a folder that cmake -B has set up"
    build=$(cd "$1" && pwd)
    table=
    work=$(mktemp -d)
    trap 'rm -rf "$work" ${table:+"$table"}' EXIT
    trap 'exit 130' INT TERM HUP
    make_table "$2"
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
    shift 2
    cmake --build "$build" --target one_run lbm "$@" >"$work/log" 2>&1 || fail 3 "the program that times does not build: $(grep -m 1 error "$work/log")"
    load=$(cut -d ' ' -f 1-3 /proc/loadavg)
}

# Whether a stage is built, and its flags, from the build's table.
is_built() { # STAGE
    awk -v where="name=$1 built=yes" -f "$root/labs/record/stages.awk" "$build/stages.tsv" | grep -q .
}
flags_of() { # STAGE
    awk -v where="name=$1" -v show=flags -f "$root/labs/record/stages.awk" "$build/stages.tsv" | sed 's/^-$//'
}

# Compiles $work/NAME.so out of a solver.
compile() { # NAME COMPILER SOLVER FLAG...
    library=$work/$1.so
    with=$2
    solver=$3
    shift 3
    (cd "$root" && "$with" -std=c17 -O3 -ffp-contract=off -Icommon -DSTAGE=stage -DSTAGE_NAME='""' \
        "$@" -fPIC -shared "$solver" -o "$library") >"$work/log" 2>&1 ||
        fail 3 "$solver does not compile: $(grep -m 1 -E 'error' "$work/log" || first_said)"
}

# One run; adds "KEY... CPU_MLUPS WALL_MLUPS" to the measured ones.
time_one() { # KEY SOLVER_NAME SIZE [HEIGHT]
    speed=$("$build/one_run" "$work/$2.so" "$3" ${4+"$4"} 2>"$work/log") || fail 3 "$1: $(first_said)"
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
