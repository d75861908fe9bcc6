#!/usr/bin/env python3
"""Usage: plot.py FIGURE FOLDER. Draws FOLDER/formats_FIGURE.svg from formats_FIGURE.csv there and, of vortices and street,
from FOLDER/samples. Figures: resolution channel exact_channel vortices street cavity.
"""

import csv
import pathlib
import sys

# Okabe and Ito's colours, which colour-blind people tell apart; formats that are alike share one and differ in their lines.
LINES = {
    "fp64": ("#000000", "-"),
    "fp32": ("#767676", "-"),
    "fp16": ("#E69F00", "--"),
    "fp16s": ("#E69F00", "-"),
    "fp16s_chance": ("#E69F00", ":"),
    "fp16c": ("#0072B2", "-"),
    "bf16": ("#56B4E9", "-"),
    "p16_0s": ("#D55E00", "-"),
    "p16_1s": ("#009E73", "-"),
    "p16_2c": ("#CC79A7", "-"),
    "fp8_e4m3": ("#767676", "--"),
    "fp8_e5m2": ("#767676", ":"),
}
TITLES = {
    "resolution": "digits that a format holds of a number",
    "channel": "channel, Re 10, u 0.1",
    "exact_channel": "channel, tau 0.933, u 0.05: rounding alone",
    "vortices": "Taylor-Green vortices, tau 1, u 0.25",
    "street": "street at Re 250: velocity across the stream at the centre",
    "cavity": "cavity, Re 1000: distance of the velocity from FP64's",
}


def read(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def begin(height=4.4):
    figure, axes = plt.subplots(figsize=(7.5, height))
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def draw_resolution(folder, axes):
    rows = read(folder / "formats_resolution.csv")
    names = [name for name in rows[0] if name != "exponent"]
    for place, name in enumerate(names):
        points = [(int(r["exponent"]), float(r[name])) for r in rows if r[name] != "out"]
        colour, style = LINES[name]
        shift = 0.05 * (place - len(names) / 2)  # apart where they are the same
        axes.step([x for x, _ in points] + [points[-1][0] + 1], [y + shift for _, y in points] + [points[-1][1] + shift],
                  where="post", color=colour, linestyle=style, label=name)
    spans = {r["shift"]: r for r in read(folder / "formats_populations.csv") if r["flow"] == "cavity"}
    for shift, text, y in ("yes", "f - w", 14.9), ("no", "f", 14.9):
        low, high = float(spans[shift]["percent_1"]), float(spans[shift]["percent_99"])
        axes.axvspan(low, high, color="#F0E442", alpha=0.25, linewidth=0)
        axes.annotate(text, ((low + high) / 2, y), ha="center", fontsize=8)
    axes.set(xlabel="logarithm of the number, base 2", ylabel="binary digits", xlim=(-20, 2), ylim=(0, 15.5))


def draw_channel(folder, axes, name):
    rows = [r for r in read(folder / f"formats_{name}.csv") if r["shift"] == "yes"]
    rows = [r for r in rows if r["arithmetic"] == "fp32" or r["format"] == "fp64"]
    for r in rows:
        points = [(int(column[1:]), float(value)) for column, value in r.items() if column.startswith("h")]
        colour, style = LINES[r["format"]]
        width = 3 if r["format"] == "fp64" else 1.5  # to be seen behind those that are the same
        axes.plot(*zip(*points), color=colour, linestyle=style, linewidth=width, marker="o", markersize=2.5, label=r["format"])
    axes.set(xscale="log", yscale="log", xlabel="cells between the walls", ylabel="relative L2 error")
    axes.minorticks_off()
    axes.set_xticks([x for x, _ in points], [str(x) for x, _ in points])


def samples_of(folder, experiment):
    """Of each format with the shift: its name and the rows of its samples."""
    for format_name in LINES:
        arithmetic = "fp64" if format_name == "fp64" else "fp32"
        path = folder / "samples" / f"{experiment}_{arithmetic}_{format_name}.samples"
        if path.exists():
            yield format_name, [tuple(map(float, line.split(","))) for line in path.read_text().splitlines()]


def draw_vortices(folder, axes):
    for name, rows in samples_of(folder, "vortices"):
        colour, style = LINES[name]
        axes.plot([r[1] for r in rows], [max(r[2], 1e-60) for r in rows], color=colour, linestyle=style, label=name)
    axes.set(yscale="log", ylim=(1e-37, 10), xlim=(0, 45), xlabel="time over that in which the velocity falls to 1/e", ylabel="kinetic energy over that of the start")


def draw_street(folder, axes):
    for name, rows in samples_of(folder, "street"):
        if not name.startswith("fp8"):
            colour, style = LINES[name]
            late = rows[-32:]
            width, alpha = (6, 0.25) if name == "fp64" else (1.2, 1)  # the others lie on it or beside it
            axes.plot([r[0] for r in late], [r[2] for r in late], color=colour, linestyle=style, linewidth=width, alpha=alpha, label=name)
    axes.set(xlabel="step", ylabel="velocity across the stream over that of the stream")


def draw_cavity(folder, axes):
    rows = [r for r in read(folder / "formats_cavity.csv") if r["arithmetic"] == "fp32"]
    names = list(dict.fromkeys(r["format"] for r in rows))
    for offset, shift, colour in (-0.2, "yes", "#0072B2"), (0.2, "no", "#E69F00"):
        values = [next(float(r["distance"]) for r in rows if r["format"] == name and r["shift"] == shift) for name in names]
        axes.bar([n + offset for n in range(len(names))], values, width=0.38, color=colour, label="with the shift" if shift == "yes" else "without")
    axes.set(yscale="log", ylabel="root mean square over lid speed")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", fontsize=8)


def main(name, folder):
    figure, axes = begin()
    if name in ("channel", "exact_channel"):
        draw_channel(folder, axes, name)
    else:
        {"resolution": draw_resolution, "vortices": draw_vortices, "street": draw_street, "cavity": draw_cavity}[name](folder, axes)
    axes.set_title(TITLES[name], loc="left", fontsize=10)
    axes.legend(fontsize=7, frameon=False, handlelength=3.5, loc="center left", bbox_to_anchor=(1.0, 0.5))
    path = folder / f"formats_{name}.svg"
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in TITLES or not pathlib.Path(sys.argv[2]).is_dir():
        sys.exit(f"usage: plot.py {'|'.join(TITLES)} FOLDER, a folder with the tables")
    try:
        import matplotlib
    except ImportError:
        sys.exit("plot.py: matplotlib is not there (Debian: apt install python3-matplotlib): no figure")
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "lbm-stages", "font.size": 9})
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
