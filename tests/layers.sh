#!/bin/sh
# Usage: layers.sh COMMON LAYER... A file of a layer may include headers of its own layer and of those named before it, each with
# its layer. Prints who includes how much of whom, and fails on an arrow the wrong way, on a header without its layer,
# and on a file outside of the layers.
set -eu
export LC_ALL=C
cd "$1"
shift
layers=$*
files=$(find . -type f ! -path ./CMakeLists.txt | sed 's|^\./||' | sort)

# shellcheck disable=SC2086
awk -v layers="$layers" '
    function complain(text) { print text; failed = 1 }
    BEGIN {
        count = split(layers, layer, " ")
        for (n = 1; n <= count; n++)
            place[layer[n]] = n
        for (n = 1; n < ARGC; n++) {
            there[ARGV[n]]
            if (split(ARGV[n], path, "/") != 2 || !(path[1] in place))
                complain(ARGV[n] ": it is in no layer")
        }
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, word, "\"")
        split(FILENAME, from, "/")
        parts = split(word[2], to, "/")
        if (parts == 1 && from[1] "/" word[2] in there)
            complain(FILENAME ":" FNR ": " word[2] " without its layer")
        else if (place[from[1]] < place[to[1]])
            complain(FILENAME ":" FNR ": " from[1] " comes before " to[1])
        if (from[1] != to[1])
            arrows[from[1], to[1]]++
    }
    END {
        for (n = 1; n <= count; n++)
            for (k = 1; k <= count; k++)
                if ((layer[n], layer[k]) in arrows)
                    print layer[n] " -> " layer[k] ": " arrows[layer[n], layer[k]]
        exit failed
    }
' $files
