#!/bin/sh
# Usage: book_links.sh HTML. Every local link and picture of the book leads to a file that is there, and every
# anchor to an element of that page; nothing is fetched from the network.
set -eu
export LC_ALL=C
cd "$1"

list=${TMPDIR:-/tmp}/lbm_pages_$$
trap 'rm -f "$list"' EXIT
find . -name '*.html' -o -name '*.svg' | sed 's|^\./||' | grep -v '^mathjax/\|^search/' >"$list"
xargs awk '
    function check(link,    file, anchor) {
        gsub(/&amp;/, "\\&", link)
        if (link ~ /^(https?:|mailto:|javascript:|data:)/ || link == "" || link == "#")
            return
        file = anchor = link
        sub(/#.*/, "", file)
        sub(/\?.*/, "", file)
        if (file == "")
            file = FILENAME
        links++
        wanted_file[file] = FILENAME
        if (link ~ /#/) {
            sub(/[^#]*#/, "", anchor)
            wanted_anchor[file "#" anchor] = FILENAME
        }
    }
    {
        text = $0
        while (match(text, /(href|src|data|xlink:href)="[^"]*"/)) {
            link = substr(text, RSTART, RLENGTH)
            source = link ~ /^(src|data)/
            sub(/^[^"]*"/, "", link)
            sub(/"$/, "", link)
            if (source && link ~ /^https?:/) {
                print FILENAME ": fetches " link
                failed = 1
            }
            check(link)
            text = substr(text, RSTART + RLENGTH)
        }
        text = $0
        while (match(text, /(id|name)="[^"]*"/)) {
            anchor = substr(text, RSTART, RLENGTH)
            sub(/^[^"]*"/, "", anchor)
            sub(/"$/, "", anchor)
            there[FILENAME "#" anchor] = 1
            text = substr(text, RSTART + RLENGTH)
        }
    }
    END {
        for (file in wanted_file)
            if (system("test -e \"" file "\"") != 0) {
                print wanted_file[file] ": links to " file ", which is not there"
                failed = 1
            }
        for (anchor in wanted_anchor)
            if (anchor ~ /\.html#/ && !(anchor in there)) {
                print wanted_anchor[anchor] ": links to " anchor ", which is not there"
                failed = 1
            }
        print links " links"
        exit failed || links < 100
    }' <"$list"
