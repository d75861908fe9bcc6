# shellcheck shell=sh disable=SC2154
# What scripts share that build the program with changes. They read it by `.`, and set `script`, their name; `top`, the
# top of the repository; and `build`, the folder in which the copy and its build are to be.
export LC_ALL=C

# Makes $build/source a copy of the program's source. $build must be new, or have the mark of the time before.
copy_source() { # MARK
    if [ -e "$build" ] && [ ! -e "$build/source/$1" ]; then
        echo "$script: $build is there, and not from here: it takes a new folder" >&2
        exit 2
    fi
    for part in cmake common docs labs live stages; do
        case $(cd "$(dirname "$build")" 2>/dev/null && pwd)/ in
        "$top/$part/"*)
            echo "$script: $build lies in $top/$part, which is to be copied: it takes a folder outside" >&2
            exit 2
            ;;
        esac
    done
    rm -rf "$build"
    mkdir -p "$build/source"
    : >"$build/source/$1"
    for part in CMakeLists.txt cmake common docs labs live stages; do
        cp -r "$top/$part" "$build/source"
    done
}

# Leaves all stages but these out of the copy.
keep_stages() { # STAGE...
    for folder in "$build"/source/stages/*/; do
        case " $* " in
        *" $(basename "$folder") "*) ;;
        *) rm -r "$folder" ;;
        esac
    done
    awk -v kept=" $* " '/^[a-z_]+\(/ { split($1, call, "[()]"); drop = call[1] == "add_stage" && !index(kept, " " call[2] " ") } !drop' \
        "$top/stages/CMakeLists.txt" >"$build/source/stages/CMakeLists.txt"
}

# Puts what sed makes of a file into the copy.
change() { # FILE COPY SED_OPTION...
    from=$1
    to=$2
    shift 2
    sed "$@" "$top/$from" >"$build/source/$to"
    if cmp -s "$top/$from" "$build/source/$to"; then
        echo "$script: $* changes nothing in $from" >&2
        exit 1
    fi
}

# Puts a stage into the copy that is made by a file *.sed from the stage that it follows.
add_changed_stage() { # NAME STAGE SCRIPT [NEEDS...]
    mkdir "$build/source/stages/$1"
    change "stages/$2/solver.cu" "stages/$1/solver.cu" -f "$3"
    sed -i "s/^end_stages()/add_stage($1 FOLLOWS $2 DIFF 20 LAYOUT none AGREES_WITH none${4+ NEEDS $4})\n&/" "$build/source/stages/CMakeLists.txt"
}
