"""The figures that need no library: tables of record as SVG."""

import itertools
import math

from tables import Table, read_table


def begin(height):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="690" height="{height}" viewBox="0 0 690 {height}">'


# ---- The lost force: error over channel height, both axes logarithmic. Points are measured from a start at rest, the
# dashed lines are the ratio epsilon H^2 / (8 nu). ----
FORCE_STYLE = """<style>text { font: 14px sans-serif; fill: #222 } .axis { stroke: #555; fill: none }
.grid { stroke: #ccc } .a { fill: #4477aa; stroke: #4477aa } .b { fill: #cc6633; stroke: #cc6633 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .axis { stroke: #aaa } .grid { stroke: #444 }
.a { fill: #77aadd; stroke: #77aadd } .b { fill: #ee8855; stroke: #ee8855 } }
.line { fill: none; stroke-width: 2 } .bound { fill: none; stroke-dasharray: 5 5 }
text.a, text.b { stroke: none }</style>"""


def force_x(height):
    return 70 + 500 * (math.log(height) - math.log(7)) / (math.log(160) - math.log(7))


def force_y(error):
    return 290 - 260 * (math.log(error) - math.log(1e-6)) / (math.log(10) - math.log(1e-6))


def stagnation(path):
    lines = [begin(340), FORCE_STYLE]
    for power in range(-6, 2):
        y = force_y(10**power)
        lines.append(f'<path class="grid" d="M70 {y:.1f}H570"/>'
                     f'<text x="62" y="{y + 5:.1f}" text-anchor="end">{10**power:g}</text>')
    lines += ['<path class="axis" d="M70 30V290H570"/>',
              '<text x="70" y="18">relative L2 error of the steady velocity</text>',
              '<text x="320" y="332" text-anchor="middle">height of the channel in cells, walls included</text>']
    rows = Table(path).select({"flow": "poiseuille", "u": "0.05", "start": "0", "times": "1"})
    for height in dict.fromkeys(row["height"] for row in rows):
        lines.append(f'<text x="{force_x(int(height)):.1f}" y="310" text-anchor="middle">{height}</text>')
    points = []
    for stage, mark, label in ("03_aa", "a", "32 bits (03)"), ("04_aa_fp16s", "b", "16 bits (04)"):
        own = [(force_x(int(row["height"])), force_y(float(row["error"])), force_y(float(row["ratio"])))
               for row in rows if row["stage"] == stage]
        if not own:
            continue
        bounds = "L".join(f"{x:.1f} {bound:.1f}" for x, _, bound in own)
        errors = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in own)
        lines += [f'<path class="{mark} bound" d="M{bounds}"/>', f'<path class="{mark} line" d="M{errors}"/>']
        x, y, _ = own[-1]
        lines.append(f'<text class="{mark}" x="{x + 10:.1f}" y="{y + 5:.1f}">{label}</text>')
        points += [f'<circle class="{mark}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y, _ in own]
    return lines + points + ["</svg>"]


# ---- The parts taken away as bars: microseconds for a step, stages 03 and 04, even and odd ----
BARS_STYLE = """<style>text { font: 13px sans-serif; fill: #222 } .head { font-weight: bold }
.a { fill: #4477aa } .b { fill: #a9c5e3 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .a { fill: #77aadd } .b { fill: #23466b } }</style>"""
BARS = {"": "as it is", "_without_walls": "without types", "_without_walls_and_wrapping": "and wrapping",
        "_without_collision": "without collision"}


def ablation(path):
    lines = [begin(320), BARS_STYLE]
    table = read_table(path)
    times = {(row["stage"], row["phase"]): float(row["step_us"]) for row in table.rows} if table else {}
    y = 6
    for stage, phase in itertools.product(("03_aa", "04_aa_fp16s"), "01"):
        step = "odd" if phase == "1" else "even"
        lines.append(f'<text class="head" x="10" y="{y + 13}">{stage[:2]}, {step} step</text>')
        for part, label in BARS.items():
            time = times.get((stage + part, phase))
            if time is None or (stage, phase, part) == ("03_aa", "0", "_without_collision"):  # that one moves less
                continue
            mark = "b" if part else "a"
            lines.append(f'<text x="250" y="{y + 13}" text-anchor="end">{label}</text>'
                         f'<rect class="{mark}" x="258" y="{y + 1}" width="{time / 2:.1f}" height="14"/>'
                         f'<text x="{264 + time / 2:.1f}" y="{y + 13}">{time:.0f}</text>')
            y += 18
        y += 10
    return lines + ["</svg>"]


def drawn(record):
    """Each figure, the function that draws it, and the table it is drawn from."""
    return [("docs/figures/stagnation.svg", stagnation, "labs/results/stagnation.csv"),
            ("docs/figures/ablation.svg", ablation, record + "/ablation.csv")]
