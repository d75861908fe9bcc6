#!/usr/bin/env python3
"""Usage: plot.py RESULTS [FIGURES]. Draws the tables of record of one device, labs/results/DEVICE/*.csv, as SVG.

Speed over grid size, the roofline and the sweeps of block shapes; whatever table is not there, or was interrupted, is left out.
"""

import csv
import pathlib
import sys

# Okabe and Ito's colours, which colour-blind people tell apart, with an olive of Tol's for the yellow, in which no text
# can be read.
COLOURS = ["#000000", "#E69F00", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#999933"]
GREY = "#767676"

# Floating-point operations of one update of a fluid cell, counted in collide (d2q9.h): each addition,
# multiplication and division is one, what is the same for several directions is counted once.
#   sum 8, rho 1, momentum 5 + 5, velocity 2                     21
#   u^2 with its factor                                           4
#   equilibrium: 0: 3; 1 to 4: 8 each; 5 to 8: 9 each             71
#   relaxation: 3 each                                            27
#   force: 1 to 4: 2 each; 5 to 8: 3 each                         20
FLOPS_PER_UPDATE = 143

# Peak of single precision in TFLOP/s, from the makers' data sheets.
PEAK_TFLOPS = {"NVIDIA H100 80GB HBM3": 66.9, "NVIDIA H200": 66.9, "NVIDIA GeForce RTX 2080": 10.1}

# Stages for many GPUs: on one, they do what 02 and 09 do.
MANY_GPUS = ("20_", "21_", "22_")


def read(path):
    """The head of a table and its rows but those of MANY_GPUS, or two empty ones."""
    head, lines = {}, []
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith("# "):
                key, _, text = line[2:].partition(": ")
                head[key] = text
            else:
                lines.append(line)
    return head, [row for row in csv.DictReader(lines) if not row.get("stage", "").startswith(MANY_GPUS)]


def unique(values):
    return list(dict.fromkeys(values))


def begin(width=7.5, height=4.6):
    figure, axes = plt.subplots(figsize=(width, height))
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def end(figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    print(path)


def label(axes, x, y, text, colour, dy=0):
    axes.annotate(text, (x, y), (6, dy), textcoords="offset points", color=colour, va="center", fontsize=9)


def spread(values, gap):
    """Offsets, in points, that keep labels at these heights (in points) `gap` apart, each group in its middle."""
    groups = []  # of neighbours, from below: the numbers of their values, and where the lowest is put
    for n in sorted(range(len(values)), key=lambda n: values[n]):
        groups.append(([n], values[n]))
        while len(groups) > 1 and groups[-2][1] + gap * len(groups[-2][0]) > groups[-1][1]:
            members = groups[-2][0] + groups[-1][0]
            middle = sum(values[m] for m in members) / len(members)
            groups[-2:] = [(members, middle - gap * (len(members) - 1) / 2)]
    placed = {n: lowest + gap * k for members, lowest in groups for k, n in enumerate(members)}
    return [placed[n] - values[n] for n in range(len(values))]


def styles(stages):
    """A colour and a marker for each stage, by its number; hollow markers where the colours come a second time."""
    for stage in stages:
        n = int(stage[:2])
        colour = COLOURS[n % len(COLOURS)]
        yield stage, dict(color=colour, marker="o", markerfacecolor=colour if n < len(COLOURS) else "white")


def limits(head, rows):
    """(text, MLUPS) of the copy bandwidth for every number of bytes an update that a GPU stage needs."""
    if "copy" not in head:  # no stage on a GPU
        return []
    copy = float(head["copy"].split()[0])
    needs = sorted(unique(round(1e3 * float(r["gbs"]) / float(r["mlups_mean"])) for r in rows if r["block_x"]))
    return [(f"copy limit, {b} bytes an update", copy * 1e3 / b) for b in needs]


def draw_speed(table, path):
    head, rows = table
    figure, axes = begin(7.5, 5.6)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    stages = unique(r["stage"] for r in rows)
    ends = []
    for stage, style in styles(stages):
        points = [(int(r["size"]), float(r["mlups_mean"])) for r in rows if r["stage"] == stage]
        axes.plot(*zip(*points), markersize=3.5, linewidth=1.5, **style)
        ends.append((*points[-1], stage, style["color"]))
    axes.set_ylim(top=1.6 * max([speed for _, speed in limits(head, rows)] + [y for _, y, _, _ in ends]))
    sizes = [int(r["size"]) for r in rows]
    smallest, largest = min(sizes), max(sizes)
    for n, (text, speed) in enumerate(limits(head, rows)):
        axes.hlines(speed, smallest, largest, color=GREY, linewidth=0.8, linestyle=(0, (5, 3)))
        dy = 3 if 2 * n < len(limits(head, rows)) else -10  # the upper half's names stand above their lines
        axes.annotate(text, (smallest, speed), (0, dy), textcoords="offset points", color=GREY, fontsize=8)
    heights = [axes.transData.transform((x, y))[1] * 72 / figure.dpi for x, y, _, _ in ends]
    for (x, y, text, colour), dy in zip(ends, spread(heights, 11)):
        label(axes, x, y, text, colour, dy)
    sizes = unique(int(r["size"]) for r in rows)
    axes.set_xticks(sizes, [str(s) for s in sizes])
    axes.minorticks_off()
    axes.set_xlabel("N, grid of N x N cells")
    axes.set_ylabel("MLUPS")
    axes.set_title(f"{head['flow'].split()[0]}, {head['device']}", loc="left", fontsize=10)
    end(figure, path)


def draw_roofline(table, path):
    head, rows = table
    copy = float(head["copy"].split()[0])
    peak = PEAK_TFLOPS.get(head["device"])
    largest = max(int(r["size"]) for r in rows if r["block_x"])
    figure, axes = begin()
    axes.set(xscale="log", yscale="log")
    for axis in axes.xaxis, axes.yaxis:
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    ridge = 1e3 * peak / copy if peak else 16.0
    axes.plot([0.5, ridge], [0.5 * copy / 1e3, ridge * copy / 1e3], color=GREY, linewidth=1.2)
    axes.annotate(f"copies {copy:.0f} GB/s", (ridge / 2, copy * ridge / 2e3), (-8, 0), textcoords="offset points", color=GREY, ha="right")
    if peak:
        axes.plot([ridge, 4 * ridge], [peak, peak], color=GREY, linewidth=1.2)
        axes.annotate(f"{peak:g} TFLOP/s, data sheet", (ridge, 1.08 * peak), color=GREY, fontsize=9)
    axes.set_ylim(bottom=1)
    stages = unique(r["stage"] for r in rows)
    points = []
    for stage, style in styles(stages):
        for r in rows:
            if r["stage"] == stage and r["block_x"] and int(r["size"]) == largest:
                speed = float(r["mlups_mean"])
                intensity = FLOPS_PER_UPDATE * speed / (1e3 * float(r["gbs"]))
                points.append((intensity, FLOPS_PER_UPDATE * speed / 1e6, stage, style["color"]))
                axes.plot(*points[-1][:2], **style)
    heights = [axes.transData.transform((x, y))[1] * 72 / figure.dpi for x, y, _, _ in points]
    for (x, y, text, colour), dy in zip(points, spread(heights, 11)):
        label(axes, x, y, text, colour, dy)
    axes.set_xlabel("FLOP a byte of the fewest bytes that an update moves")
    axes.set_ylabel(f"TFLOP/s, {FLOPS_PER_UPDATE} FLOP an update")
    axes.set_title(f"{largest} x {largest} cells, {head['device']}", loc="left", fontsize=10)
    end(figure, path)


def draw_sweep(table, path):
    head, rows = table
    figure, axes = begin(5.5, 7.5)
    rows = sorted(rows, key=lambda r: int(r["rank"]), reverse=True)
    values = [float(r["mlups_mean"]) / 1e3 for r in rows]
    names = [f"{r['block_x']}x{r['block_y']}" for r in rows]
    colours = [COLOURS[2] if int(r["block_x"]) >= 32 else COLOURS[1] for r in rows]
    axes.barh(names, values, color=colours, height=0.75)
    axes.tick_params(axis="y", labelsize=6, length=0)
    axes.margins(y=0.01)
    axes.set_xlabel("GLUPS")
    size = f"{rows[0]['width']} x {rows[0]['height']}"
    axes.set_title(f"{rows[0]['stage']}, {size} cells, {head['device']}", loc="left", fontsize=10)
    axes.text(0.98, 0.08, "32 or more threads along x", color=COLOURS[2], ha="right", transform=axes.transAxes)
    axes.text(0.98, 0.04, "fewer", color="#B87F00", ha="right", transform=axes.transAxes)
    end(figure, path)


def main(results, figures):
    figures.mkdir(parents=True, exist_ok=True)
    for path in sorted(results.glob("*.csv")):
        head, rows = read(path)
        if not rows:
            continue
        if "interrupted" in head:
            print(f"plot.py: {path} was interrupted: left out", file=sys.stderr)
            continue
        target = figures / f"{results.name}_{path.stem}.svg"
        if path.stem.startswith("bench"):
            draw_speed((head, rows), target)
        if path.stem == "bench_poiseuille" and "copy" in head:
            draw_roofline((head, rows), figures / f"{results.name}_roofline.svg")
        if path.stem.startswith("sweep"):
            draw_sweep((head, rows), target)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit("usage: plot.py RESULTS [FIGURES], RESULTS a folder such as labs/results/DEVICE")
    try:
        import matplotlib
    except ImportError:
        sys.exit("plot.py: matplotlib is not there (Debian: apt install python3-matplotlib): no figures")
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "lbm-stages", "font.size": 9})
    folder = pathlib.Path(sys.argv[1])
    main(folder, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else pathlib.Path(__file__).parent.parent / "figures")
