#!/bin/sh
# Usage: rooms.sh COMMON. CMakeLists.txt there lists the rooms in order; a file may include headers of its own room and
# of those before it. Prints who includes how much of whom, and fails on an arrow the wrong way, on a header name that
# exists twice, and on a file outside of the rooms.
set -eu
cd "$1"
rooms=$(sed -n 's/^set(rooms \(.*\))$/\1/p' CMakeLists.txt)
[ -n "$rooms" ] || { echo "$1/CMakeLists.txt has no line set(rooms ...)"; exit 1; }
files=$(find . -type f ! -path ./CMakeLists.txt | sort)

awk -v rooms="$rooms" '
    function room_of(file) { split(file, part, "/"); return part[2] }
    function complain(text) { print text; failed = 1 }
    BEGIN {
        count = split(rooms, room, " ")
        for (n = 1; n <= count; n++)
            place[room[n]] = n
        for (n = 1; n < ARGC; n++) {
            parts = split(ARGV[n], path, "/")
            if (parts != 3 || !(path[2] in place))
                complain(ARGV[n] ": it is in no room")
            else if (path[3] ~ /\.h$/ && path[3] in home)
                complain(ARGV[n] ": " home[path[3]] " has a header of that name")
            else if (path[3] ~ /\.h$/)
                home[path[3]] = path[2]
        }
    }
    match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/) {
        split(substr($0, RSTART, RLENGTH), word, "\"")
        from = room_of(FILENAME)
        to = home[word[2]]
        if (from in place && to in place && from != to)
            arrows[from, to]++
        if (from in place && to in place && place[from] < place[to])
            complain(FILENAME ":" FNR ": " from " comes before " to ", where " word[2] " is")
    }
    END {
        for (n = 1; n <= count; n++)
            for (k = 1; k <= count; k++)
                if ((room[n], room[k]) in arrows)
                    print room[n] " -> " room[k] ": " arrows[room[n], room[k]]
        exit failed
    }
' $files
