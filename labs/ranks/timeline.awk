# Draws what timeline_STAGE wrote, a file below the other, all with the same scale: -v titles='TITLE,...'.
function px(us) { return 90 + 580 * us / longest }

/^#/ { next }
/^lane,/ { file++; next }
{
    split($0, part, ",")
    if (!((file, part[1]) in seen)) {
        seen[file, part[1]] = ++lanes[file]
        name[file, lanes[file]] = part[1]
    }
    n = ++count
    where[n] = file
    lane[n] = seen[file, part[1]]
    what[n] = part[2]
    begin[n] = part[3]
    end[n] = part[4]
    if (part[4] > longest)
        longest = part[4]
}
END {
    split(titles, title, ",")
    height = 30
    for (k = 1; k <= file; k++) {
        top[k] = height
        height += 34 + 28 * lanes[k]
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"690\" height=\"%d\" viewBox=\"0 0 690 %d\">\n", height, height
    print "<style>text { font: 14px sans-serif; fill: #222 } .small { font-size: 11px }"
    print ".a { fill: #a9c5e3; stroke: #4477aa } .b { fill: #f2c6ab; stroke: #cc6633 } .thin { stroke: #999 }"
    print "@media (prefers-color-scheme: dark) {"
    print "text { fill: #ddd } .a { fill: #23466b; stroke: #77aadd } .b { fill: #6b3a1e; stroke: #ee8855 } .thin { stroke: #777 } }</style>"
    for (k = 1; k <= file; k++) {
        printf "<text x=\"10\" y=\"%d\">%s</text>\n", top[k] - 10, title[k]
        for (n = 1; n <= lanes[k]; n++) {
            y = top[k] + 28 * (n - 1)
            printf "<text x=\"82\" y=\"%d\" class=\"small\" text-anchor=\"end\">%s</text>", y + 15, name[k, n]
            printf "<path d=\"M90 %dH670\" class=\"thin\"/>\n", y + 25
        }
    }
    for (n = 1; n <= count; n++) {
        y = top[where[n]] + 28 * (lane[n] - 1)
        kernel = what[n] !~ /^(copy|MPI)/
        wide = px(end[n]) - px(begin[n])
        printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"20\" class=\"%s\">", px(begin[n]), y, wide, kernel ? "a" : "b"
        printf "<title>%s: %s to %s us</title></rect>\n", what[n], begin[n], end[n]
        if (wide > 7 * length(what[n]))
            printf "<text x=\"%.1f\" y=\"%d\" class=\"small\" text-anchor=\"middle\">%s</text>\n", px(begin[n]) + wide / 2, y + 14, what[n]
    }
    printf "<text x=\"670\" y=\"%d\" class=\"small\" text-anchor=\"end\">0 to %.0f microseconds</text>\n</svg>\n", height - 6, longest
}
