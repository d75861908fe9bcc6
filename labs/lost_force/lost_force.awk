# The record of the lost force as a plot: error over channel height, both axes logarithmic. Points are
# measured from a start at rest, the dashed lines are the ratio epsilon H^2 / (8 nu).
function px(height) { return 70 + 500 * (log(height) - log(7)) / (log(160) - log(7)) }
function py(error) { return 290 - 260 * (log(error) - log(1e-6)) / (log(10) - log(1e-6)) }

function frame(    power, y)
{
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"690\" height=\"340\" viewBox=\"0 0 690 340\">"
    print "<style>text { font: 14px sans-serif; fill: #222 } .axis { stroke: #555; fill: none }"
    print ".grid { stroke: #ccc } .a { fill: #4477aa; stroke: #4477aa } .b { fill: #cc6633; stroke: #cc6633 }"
    print "@media (prefers-color-scheme: dark) {"
    print "text { fill: #ddd } .axis { stroke: #aaa } .grid { stroke: #444 }"
    print ".a { fill: #77aadd; stroke: #77aadd } .b { fill: #ee8855; stroke: #ee8855 } }"
    print ".line { fill: none; stroke-width: 2 } .bound { fill: none; stroke-dasharray: 5 5 }"
    print "text.a, text.b { stroke: none }</style>"
    for (power = -6; power <= 1; power++) {
        y = py(10 ^ power)
        printf "<path class=\"grid\" d=\"M70 %.1fH570\"/>", y
        printf "<text x=\"62\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", y + 5, 10 ^ power
    }
    print "<path class=\"axis\" d=\"M70 30V290H570\"/>"
    print "<text x=\"70\" y=\"18\">relative L2 error of the steady velocity</text>"
    print "<text x=\"320\" y=\"332\" text-anchor=\"middle\">height of the channel in cells, walls included</text>"
}

function join_to(path, x, y) { return path (path ? "L" : "M") sprintf("%.1f %.1f", x, y) }

BEGIN {
    FS = ","
    class["03_aa"] = "a"
    class["04_aa_fp16s"] = "b"
    label["03_aa"] = "32 bits (03)"
    label["04_aa_fp16s"] = "16 bits (04)"
    frame()
}
$1 != "poiseuille" || $4 != 0.05 || $5 != 0 || $6 != 1 { next }
{
    x = px($3)
    path[$2] = join_to(path[$2], x, py($8))
    bound[$2] = join_to(bound[$2], x, py($10))
    points = points sprintf("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", class[$2], x, py($8))
    end[$2] = sprintf("x=\"%.1f\" y=\"%.1f\"", x + 10, py($8) + 5)
    if (!seen[$3]++)
        printf "<text x=\"%.1f\" y=\"310\" text-anchor=\"middle\">%s</text>\n", x, $3
}
END {
    for (stage in path) {
        printf "<path class=\"%s bound\" d=\"%s\"/>\n", class[stage], bound[stage]
        printf "<path class=\"%s line\" d=\"%s\"/>\n", class[stage], path[stage]
        printf "<text class=\"%s\" %s>%s</text>\n", class[stage], end[stage], label[stage]
    }
    printf "%s</svg>\n", points
}
