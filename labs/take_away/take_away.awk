# The record of the parts taken away as bars: microseconds for a step, stages 03 and 04, even and odd.
function bar(y, stage, phase, what, label,    time)
{
    time = step_us[stage what, phase]
    if (time == "" || (stage == "03_aa" && phase == 0 && what ~ /collision/)) # that one moves less
        return y
    printf "<text x=\"250\" y=\"%d\" text-anchor=\"end\">%s</text>", y + 13, label
    printf "<rect class=\"%s\" x=\"258\" y=\"%d\" width=\"%.1f\" height=\"14\"/>", what ? "b" : "a", y + 1, time / 2
    printf "<text x=\"%.1f\" y=\"%d\">%.0f</text>\n", 264 + time / 2, y + 13, time
    return y + 18
}

function group(y, stage, phase)
{
    printf "<text class=\"head\" x=\"10\" y=\"%d\">%s, %s step</text>\n", y + 13, substr(stage, 1, 2), phase ? "odd" : "even"
    y = bar(y, stage, phase, "", "as it is")
    y = bar(y, stage, phase, "_without_walls", "without types")
    y = bar(y, stage, phase, "_without_walls_and_wrapping", "and wrapping")
    return bar(y, stage, phase, "_without_collision", "without collision") + 10
}

BEGIN {
    FS = ","
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"690\" height=\"320\" viewBox=\"0 0 690 320\">"
    print "<style>text { font: 13px sans-serif; fill: #222 } .head { font-weight: bold }"
    print ".a { fill: #4477aa } .b { fill: #a9c5e3 }"
    print "@media (prefers-color-scheme: dark) { text { fill: #ddd } .a { fill: #77aadd } .b { fill: #23466b } }</style>"
}
{ step_us[$1, $7] = $8 }
END {
    y = 6
    for (stage = 3; stage <= 4; stage++)
        for (phase = 0; phase <= 1; phase++)
            y = group(y, stage == 3 ? "03_aa" : "04_aa_fp16s", phase)
    print "</svg>"
}
