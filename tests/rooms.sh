#!/bin/sh
# Usage: rooms.sh COMMON ROOM... A file of a room may include headers of its own room and of those named before it, each with
# its room. Prints who includes how much of whom, and fails on an arrow the wrong way, on a header without its room,
# and on a file outside of the rooms.
set -eu
export LC_ALL=C
cd "$1"
shift
rooms=$*
files=$(find . -type f ! -path ./CMakeLists.txt | sed 's|^\./||' | sort)

# shellcheck disable=SC2086
awk -v rooms="$rooms" '
    function complain(text) { print text; failed = 1 }
    BEGIN {
        count = split(rooms, room, " ")
        for (n = 1; n <= count; n++)
            place[room[n]] = n
        for (n = 1; n < ARGC; n++) {
            there[ARGV[n]]
            if (split(ARGV[n], path, "/") != 2 || !(path[1] in place))
                complain(ARGV[n] ": it is in no room")
        }
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, word, "\"")
        split(FILENAME, from, "/")
        parts = split(word[2], to, "/")
        if (parts == 1 && from[1] "/" word[2] in there)
            complain(FILENAME ":" FNR ": " word[2] " without its room")
        else if (place[from[1]] < place[to[1]])
            complain(FILENAME ":" FNR ": " from[1] " comes before " to[1])
        if (from[1] != to[1])
            arrows[from[1], to[1]]++
    }
    END {
        for (n = 1; n <= count; n++)
            for (k = 1; k <= count; k++)
                if ((room[n], room[k]) in arrows)
                    print room[n] " -> " room[k] ": " arrows[room[n], room[k]]
        exit failed
    }
' $files
