"""Usage: figures.py FIGURE OUT.svg TABLE... Draws a chart of the book from tables of the same form.

speed, roofline    a table of `lbm bench`
tune               a table of `lbm tune`
timeline           tables of labs/ranks/timeline.sh, one below the other
channel exact_channel vortices street cavity    formats_FIGURE.csv of labs/formats/study.sh, with samples/ beside it
resolution         labs/results/formats_resolution.csv and formats_populations.csv
stagnation, ablation    labs/results/stagnation.csv, ablation.csv of a device
steps              the limits of sweeps for other numbers of steps: labs/results/plane_steps.csv and space_steps.csv,
                   and a table of `lbm bench`

For refresh.py alone, which knows what a stage follows, it also draws the speeds of a chapter's stage beside those of the
stages before it, and the whole ladder.
"""

import itertools
import math
import os
import re
import sys

import ladder
from charts import COLOURS, Chart, spread
from sources import STAGES, Problem, follows, needs_mpi, read_lines, write_lines
from tables import Table

# Floating-point operations of one update of a fluid cell, counted in collide (lattice/d2q9.h): each addition,
# multiplication and division is one, what is the same for several directions is counted once.
#   sum 8, rho 1, momentum 5 + 5, velocity 2                     21
#   u^2 with its factor                                           4
#   w_i (rho - 1): one for each of the three weights              3
#   rest of the equilibrium: 0: 3; 1 to 4: 7 each; 5 to 8: 8 each 63
#   relaxation: 3 each                                           27
#   force: 1 to 4: 2 each; 5 to 8: 3 each                        20
FLOPS_PER_UPDATE = 138

# Peak of single precision in TFLOP/s, from the makers' data sheets.
PEAK_TFLOPS = {"NVIDIA H100 80GB HBM3": 66.9, "NVIDIA H200": 66.9, "NVIDIA GeForce RTX 2080": 10.1}


def unique(values):
    return list(dict.fromkeys(values))


def stem_of(table):
    return os.path.splitext(os.path.basename(table.path))[0]


# ---- Speed ----
def measured(table):
    """The rows of each stage for one GPU or CPU, and the copy bandwidth in GB/s, or 0. (On one GPU, a stage for many does
    what the stage that it follows does.)"""
    table.require(["stage", "size", "block_x", "mlups_mean", "gbs"])
    stages = {}
    for row in table.rows:
        if not needs_mpi(row["stage"]):
            stages.setdefault(row["stage"], []).append(row)
    if not stages:
        raise Problem(f"{table.path} has no stage for one GPU")
    return stages, float(table.told("copy").split()[0] if table.told("copy") else 0)


def style_of(stage):
    """The colour of a stage, by the last digit of its number, and a ring as its mark beyond the first branch."""
    return dict(style=list(COLOURS)[int(stage[1])], mark="disc" if stage[0] == "0" else "ring")


def mlups(row):
    return float(row["mlups_mean"])


def bytes_moved(row):
    """The fewest bytes that an update moves."""
    return 1e3 * float(row["gbs"]) / mlups(row)


def speed(table, *numbers):
    """Of the stages with these numbers, if there are any."""
    stages, copy = measured(table)
    stages = {stage: rows for stage, rows in stages.items() if stage.split("_")[0] in numbers} or stages
    rows = list(itertools.chain(*stages.values()))
    sizes = unique(int(row["size"]) for row in rows)
    needs = sorted({round(bytes_moved(row)) for row in rows if copy and row["block_x"]} - {0})
    limits = [1e3 * copy / need for need in needs]
    flow = table.told("flow").split()[0].replace("poiseuille", "channel")
    chart = Chart(f"Speed over the size of the grid: {flow}, {table.told('device')}", 470, right=136)
    cells = "N x N x N" if "N x N x N" in table.told("flow") else "N x N"
    chart.x_axis(f"N, of a grid of {cells} cells", min(sizes) / 1.1, max(sizes) * 1.1, log=True, at=sizes)
    chart.y_axis("MLUPS (million lattice updates per second); dashed: limit by the bandwidth of a copy",
                 min(map(mlups, rows)) / 1.3, 1.3 * max([*limits, *map(mlups, rows)]), log=True)
    for limit in limits:
        chart.path([(chart.left + 146, chart.y(limit)), (chart.right, chart.y(limit))], "grey dashed")
    for need, y in zip(needs, spread([chart.y(limit) for limit in limits], 12)):
        chart.text(chart.left + 30, y + 4, f"{need} bytes an update", "small halo")
    for stage, own in stages.items():
        chart.line([(int(row["size"]), mlups(row)) for row in own], label=stage, width=1.7, **style_of(stage))
    return chart.lines()


def energy(table):
    """A stage with 10 nJ an update and 50 GLUPS draws 500 W: lines of equal power fall from left to right."""
    stages, _ = measured(table)
    points = {stage: (mlups(row) / 1e3, float(row["counted_nj"] or row["sampled_nj"])) for stage, rows in stages.items()
              for row in rows if row["counted_nj"] or row["sampled_nj"]}
    x, y = zip(*points.values())
    x_range, y_range = (min(x) / 1.3, 1.3 * max(x)), (min(y) / 1.4, 1.4 * max(y))
    flow = table.told("flow").split()[0].replace("poiseuille", "channel")
    chart = Chart(f"Energy of an update over speed: {flow}, {table.told('device')}", 420)
    chart.x_axis("GLUPS (billion lattice updates per second)", *x_range, log=True)
    chart.y_axis("nJ an update; dashed: equal power", *y_range, log=True)
    for watts in (25 * 2**n for n in range(8)):
        begin, end = max(x_range[0], watts / y_range[1]), min(x_range[1], watts / y_range[0])
        if begin < end:
            chart.path([(chart.x(at), chart.y(watts / at)) for at in (begin, end)], "grey dashed")
            chart.text(chart.x(begin) + 4, chart.y(watts / begin) + 22, f"{watts} W", "small halo")
    for stage, point in points.items():
        chart.line([point], label=stage, **style_of(stage))
    return chart.lines()


def roofline(table):
    stages, copy = measured(table)
    largest = max(int(row["size"]) for row in itertools.chain(*stages.values()))
    rows = [own[-1] for own in stages.values() if own[-1]["block_x"] and int(own[-1]["size"]) == largest]
    if not copy or not rows:
        raise Problem(f"{table.path} has no stage on a GPU")
    points = [(FLOPS_PER_UPDATE / bytes_moved(row), FLOPS_PER_UPDATE * mlups(row) / 1e6) for row in rows]
    peak = PEAK_TFLOPS.get(table.told("device"))
    ridge = min(64, 1e3 * (peak or 100) / copy)
    lowest = min(1, 0.8 * min(y for _, y in points))
    chart = Chart(f"Roofline: {largest} x {largest} cells, {table.told('device')}", 400, right=40)
    chart.x_axis("FLOP for each byte, of the fewest bytes that an update moves", 0.5, 64, log=True)
    chart.y_axis(f"TFLOP/s, at {FLOPS_PER_UPDATE} FLOP an update", lowest, 100, log=True)
    chart.line([(x, x * copy / 1e3) for x in (max(0.5, 1e3 * lowest / copy), ridge)], "grey")
    chart.text(chart.x(ridge / 3) - 8, chart.y(ridge * copy / 3e3) - 4, f"a copy moves {copy:.0f} GB/s", "grey left")
    if peak:
        chart.line([(ridge, peak), (64, peak)], "grey")
        chart.text(chart.right - 4, chart.y(peak) - 6, f"{peak:g} TFLOP/s (data sheet)", "grey left")
    for row, point in zip(rows, points):
        chart.line([point], label=row["stage"], **style_of(row["stage"]))
    return chart.lines()


def tune(table):
    table.require(["rank", "stage", "width", "height", "block_x", "block_y", "mlups_mean"])
    rows = sorted(table.rows, key=lambda row: int(row["rank"]))
    first = rows[0]
    chart = Chart(f"Block shapes: {first['stage']}, {first['width']} x {first['height']} cells, {table.told('device')}",
                  12 * len(rows) + 114, right=30)
    chart.key({"blue": "32 or more threads along x", "orange": "fewer"})
    chart.x_axis("GLUPS (billion lattice updates per second)", 0, 1.04e-3 * mlups(first))
    for n, row in enumerate(rows):
        y = chart.top + 12 * n + 2
        colour = "blue" if int(row["block_x"]) >= 32 else "orange"
        chart.bar(y, 9, 0, 1e-3 * mlups(row), colour, row["mlups_mean"] + " MLUPS")
        chart.text(chart.left - 6, y + 8, f"{row['block_x']} x {row['block_y']}", "small left")
    return chart.lines()


# ---- A chapter's stage beside the stages before it: speed, and share of the limit that memory sets ----
def beside(title, unit, bars):
    """A bar for each (label, speed, limit or None, whether it is the chapter's stage); behind it one for the limit."""
    if not bars or not bars[-1][3]:  # the table has no row for the chapter's stage
        return Chart("There is no record of it yet.", 32).lines()
    limited = any(limit for _, _, limit, _ in bars)
    chart = Chart(title, 24 * len(bars) + 114, left=max(196, 12 + 7 * max(len(bar[0]) for bar in bars)), right=164)
    chart.key({"orange": "this chapter", "blue": "before it", **({"pale": "limit"} if limited else {})})
    chart.x_axis(unit, 0, 1.02 * max(limit or speed for _, speed, limit, _ in bars))
    for n, (label, speed, limit, own) in enumerate(bars):
        y = chart.top + 24 * n + 3
        chart.text(chart.left - 8, y + 13, label, "left")
        if limit:
            chart.bar(y, 18, 0, limit, "pale")
        chart.bar(y + 3 if limit else y, 12 if limit else 18, 0, speed, "orange" if own else "blue")
        share = f", {100 * speed / limit:.0f}% of its limit" if limit else ""
        chart.text(chart.right + 8, y + 13, f"{speed:.{0 if speed >= 100 else 1 if speed >= 0.1 else 2}f}{share}")
    return chart.lines()


def chain_to(stage):
    """The stage, behind those that its FOLLOWS lead back to."""
    before = follows(stage)
    return [*(chain_to(before) if before else []), stage]


def chapter(table, stage):
    """On one GPU, at the stage's largest size in a table of `lbm bench` or in labs/results/sixteen_bits.csv."""
    speeds = "mlups_mean" if "mlups_mean" in table.columns else "mlups"
    rows = [row for row in table.rows if row.get("flow", "cavity") == "cavity"]
    largest = max((row["size"] for row in rows if row["stage"] == stage), key=int, default="")
    bars = []
    for name in chain_to(stage):
        for row in (row for row in rows if (row["stage"], row["size"]) == (name, largest)):
            glups = 1e-3 * float(row[speeds])
            bars.append((name, glups, 100 * glups / float(row["copy_percent"]), name == stage))
    told = table.told("flow") or "cavity"
    flow = told.split()[0].replace("poiseuille", "channel")
    cells = " x ".join([largest] * (3 if "N x N x N" in told else 2))
    device = table.told("device") or table.told("device, driver, power limit").split(",")[0]
    return beside(f"Speed: {flow}, {cells} cells, {device}",
                  "GLUPS; limit: by the bandwidth of a copy and the bytes of an update", bars)


def space(plane, *spaces_and_stage):
    """On one GPU, the first stage in space beside the one in the plane that it follows, at the largest sizes."""
    *spaces, stage = spaces_and_stage
    bars = []
    for table, name in (plane, follows(stage)), *((table, stage) for table in spaces):
        row = max(table.select({"stage": name}), key=lambda row: int(row["size"]))
        glups, flow = 1e-3 * mlups(row), table.told("flow").split()[0].replace("poiseuille", "channel")
        bars.append((f"{name}, {flow}, {row['size']}{'²' if table is plane else '³'}", glups,
                     100 * glups / float(row["copy_percent"]), table is not plane))
    return beside(f"Speed: {plane.told('device')}",
                  "GLUPS; limit: by the bandwidth of a copy and the bytes of an update", bars)


def steps(plane, in_space, table):
    """The limits of sweeps by bytes, if the halo comes from DRAM, and by instructions, for each number of their steps.
    A strip has 64 columns, a tile 32 x 24. A ring is a form for which the compiler spills."""
    copy, device = 1e9 * float(table.told("copy").split()[0]), table.told("device")
    issued = 1e12 * PEAK_TFLOPS[device] / 64  # instructions of warps in a second: 32 fused operations each
    forms = [("2D", "sky", "blue", plane.rows, [64], 6, 6, 1),
             ("3D", "orange", "red", in_space.select({"warps": "8", "rows": "3"}), [32, 24], 10, 9, 8)]
    chart = Chart(f"What the bytes and the instructions of an update allow, {device}", 420, right=190)
    chart.x_axis("steps of a sweep", 0.8, 7.2, at=range(1, 8))
    chart.y_axis("GLUPS (billion lattice updates per second)", 40, 700, log=True)
    for name, bytes_colour, colour, rows, sides, read, written, warps in forms:
        by_bytes, by_instructions = [], []
        for row in rows:
            made = int(row["steps"])
            owned = math.prod(side - 2 * made for side in sides)
            moved = 4 * (read * math.prod(sides) / owned + written) / made
            by_bytes.append((made, 1e-9 * copy / moved))
            by_instructions.append((made, 1e-9 * issued * owned * made / (warps * int(row["instructions"]))))
        fit = sum(row["spill_bytes"] == "0" for row in rows)
        chart.line(by_bytes, bytes_colour + " dashed", f"{name}: bytes")
        for points, mark, label in ((by_instructions[fit - 1:], "ring", f"{name}: instructions"),
                                    (by_instructions[:fit], "disc", "")):
            chart.line(points, colour, label, mark=mark)
    return chart.lines()


def small(table, stage):
    """On one GPU, at small sizes that the table has for the stage; memory does not limit it there."""
    speeds = {(row["stage"], int(row["size"])): 1e-3 * mlups(row) for row in table.rows}
    bars = [(f"{size}: {name}", speeds[name, size], None, name == stage)
            for size in (64, 128, 256, 512, 1024) if (stage, size) in speeds
            for name in chain_to(stage) if (name, size) in speeds]
    flow = table.told("flow").split()[0].replace("poiseuille", "channel")
    return beside(f"Speed: {flow}, N x N cells, {table.told('device')}", "GLUPS; N: stage", bars)


# Bytes of an update on a CPU: nine populations read and written, in 00 and 10 also the lines that are read only to be
# overwritten, in 00 also a type.
CPU_BYTES = {"00_cpu_aos": 109, "10_cpu_vectors": 108, "11_cpu_in_place": 72, "12_cpu_pairs": 72, "13_cpu_threads": 72}
CPU_SIZE = "4096"


def cores(table, copies, stage):
    """On a CPU: `table` has the stages on one core, or with teams of threads; `copies` has what a copy moves. A table by
    the clock on the wall has no limit: on its machine the bandwidth changed from minute to minute."""
    by_wall, in_teams = "wall_mlups" in table.columns, "team_mlups" in table.columns

    def limit(name, threads):
        row = next(row for row in copies.rows if (row["size"], row["threads"]) == (CPU_SIZE, threads))
        return 1e3 * float(row["copy_gbs"]) / CPU_BYTES[name]

    def bar(name, speed, threads):
        label = f"{name}, {threads} thread{'s' if threads != '1' else ''}" if by_wall or in_teams else name
        return label, float(speed), None if by_wall else limit(name, threads), name == stage

    if in_teams:
        rows = table.select({"size": CPU_SIZE, "wait_policy": "default"})
        bars = [bar(follows(stage), rows[0]["one_core_mlups"], "1")]
        bars += [bar(stage, row["team_mlups"], row["threads"]) for row in rows]
    else:
        speeds = "wall_mlups" if by_wall else "mlups"
        rows = table.select({"size": CPU_SIZE, "how": "as_it_is"})
        bars = [bar(name, row[speeds], row.get("threads", "1"))
                for name in chain_to(stage) for row in rows if row["stage"] == name]
    unit = "MLUPS" if by_wall else "MLUPS; limit: by the bandwidth of a copy and the bytes of an update"
    return beside(f"Speed: cavity, {CPU_SIZE} x {CPU_SIZE} cells, {table.told('machine').split(';')[0]}", unit, bars)


def ranks(table, stage):
    """On one GPU and on four: the limit is four times the speed of one."""
    bars = []
    names = unique(row["stage"] for row in table.rows)
    for name in names[: names.index(stage) + 1]:
        rows = table.select({"stage": name, "grid": "8192x8192", "run": "2"})
        one = next(float(row["glups"]) for row in rows if row["ranks"] == "1")
        for row in (row for row in rows if row["ranks"] in "14"):
            through = f", {row['ranks']} GPUs, {row['through']}" if row["ranks"] != "1" else ", 1 GPU"
            bars.append((name + through, float(row["glups"]), int(row["ranks"]) * one, name == stage))
    return beside("Speed: channel, 8192 x 8192 cells, H200 of one host",
                  "GLUPS; limit: that of one GPU times the number of GPUs", bars)


def ranks_in_space(table, stage):
    """On one GPU and on two: cubes of two sizes."""
    bars = []
    for grid in "256x256x256", "384x384x384":
        rows = table.select({"stage": stage, "grid": grid})
        one = next(float(row["glups"]) for row in rows if row["ranks"] == "1")
        for row in rows:
            gpus = "1 GPU" if row["ranks"] == "1" else f"{row['ranks']} GPUs, {row['through']}"
            bars.append((f"{grid[:3]} a side, {gpus}", float(row["glups"]), int(row["ranks"]) * one, True))
    return beside(f"Speed: duct, {table.told('device')}",
                  "GLUPS; limit: that of one GPU times the number of GPUs", bars)


# ---- The lost force: points are measured from a start at rest, the dashed lines are epsilon H^2 / (8 nu) ----
def stagnation(table):
    rows = table.select({"flow": "poiseuille", "u": "0.05", "start": "0", "times": "1"})
    heights = unique(int(row["height"]) for row in rows)
    chart = Chart("Channel: error of the steady velocity", 380)
    chart.x_axis("height of the channel in cells, walls included", 8, 160, log=True, at=heights)
    chart.y_axis("relative L2 error", 1e-6, 10, log=True)
    for stage, colour, label in ("03_aa", "blue", "32 bits (03)"), ("04_aa_fp16s", "red", "16 bits (04)"):
        own = [row for row in rows if row["stage"] == stage]
        chart.line([(int(row["height"]), float(row["ratio"])) for row in own], colour + " dashed", width=1.2)
        chart.line([(int(row["height"]), float(row["error"])) for row in own], colour, label, mark="disc")
    return chart.lines()


# ---- The parts taken away: microseconds for a step, stages 03 and 04, even and odd ----
PARTS = {"": "as it is", "_without_walls": "without types", "_without_walls_and_wrapping": "and wrapping",
         "_without_collision": "without collision"}


def ablation(table):
    times = {(row["stage"], row["phase"]): float(row["step_us"]) for row in table.rows}
    size = table.rows[0]["size"]
    chart = Chart(f"Time for a step without some of its parts: {size} x {size} cells, {table.told('device')}", 400,
                  left=250, right=40, top=36)
    chart.x_axis("microseconds for one step", 0, 1.1 * max(times.values()))
    y = chart.top + 8
    for stage, phase in itertools.product(("03_aa", "04_aa_fp16s"), "01"):
        chart.text(12, y + 12, f"{stage[:2]}, {'odd' if phase == '1' else 'even'} step", "title")
        for part, label in PARTS.items():
            time = times.get((stage + part, phase))
            if time is None or (stage, phase, part) == ("03_aa", "0", "_without_collision"):  # that one moves less
                continue
            chart.text(chart.left - 8, y + 12, label, "left")
            chart.bar(y, 15, 0, time, "pale" if part else "blue")
            chart.text(chart.x(time) + 6, y + 12, f"{time:.0f}")
            y += 18
        y += 8
    return chart.lines()


# ---- When kernels, copies and messages begin and end ----
def timeline(*tables):
    lanes = [unique(row["lane"] for row in table.rows) for table in tables]
    longest = max(float(row["end_us"]) for table in tables for row in table.rows)
    size = re.search(r"timeline_\S+ (\d+)", tables[0].told("command"))
    chart = Chart("Three steps on rank 0" + (f", {size[1]} x {size[1]} cells" if size else ""),
                  90 + sum(32 + 26 * len(names) for names in lanes), left=92, right=30, top=32)
    chart.x_axis("microseconds", 0, longest)
    y = chart.top + 6
    for table, names in zip(tables, lanes):
        chart.text(12, y + 13, stem_of(table))
        y += 22
        for name in names:
            chart.text(chart.left - 8, y + 14, name, "small left")
            chart.path([(chart.left, y + 23), (chart.right, y + 23)], "grid")
            for row in table.select({"lane": name}):
                begin, end = float(row["begin_us"]), float(row["end_us"])
                colour = "orange" if re.match("copy|MPI", row["what"]) else "sky"
                chart.bar(y, 20, begin, end, colour, f"{row['what']}: {row['begin_us']} to {row['end_us']} us")
                if chart.x(end) - chart.x(begin) > 7 * len(row["what"]):
                    chart.text(chart.x((begin + end) / 2), y + 14, row["what"], "small mid inside")
            y += 26
        y += 10
    return chart.lines()


# ---- Number formats: those that are alike share a colour and differ in their lines ----
FORMATS = {"fp64": "black", "fp32": "grey", "fp16": "orange dashed", "fp16s": "orange", "fp16s_chance": "orange dotted",
           "fp16c": "blue", "bf16": "sky", "p16_0s": "red", "p16_1s": "green", "p16_2c": "pink",
           "fp8_e4m3": "grey dashed", "fp8_e5m2": "grey dotted"}


def resolution(table, populations):
    chart = Chart("Significant bits that a format holds of a number", 440)
    chart.x_axis("exponent of the number, to base 2", -20, 2)
    for row in populations.select({"flow": "cavity"}):
        chart.band(float(row["percent_1"]), float(row["percent_99"]), "f − w" if row["shift"] == "yes" else "f")
    chart.y_axis("bits", 0, 15)
    names = table.columns[1:]
    for n, name in enumerate(names):
        shift = 0.05 * (n - len(names) / 2)  # apart where they are the same
        steps = [(int(row["exponent"]), float(row[name]) + shift) for row in table.rows if row[name] != "out"]
        chart.line([(x + end, y) for x, y in steps for end in (0, 1)], FORMATS[name], name)
    return chart.lines()


def channel(table):
    rows = [row for row in table.select({"shift": "yes"}) if row["arithmetic"] == "fp32" or row["format"] == "fp64"]
    exact = stem_of(table) == "formats_exact_channel"
    chart = Chart("Channel at tau 0.933, speed 0.05: rounding alone" if exact else "Channel at Re 10, speed 0.1", 440)
    heights = [int(column[1:]) for column in rows[0] if column.startswith("h")]
    errors = {row["format"]: [float(row[f"h{height}"]) for height in heights] for row in rows}
    chart.x_axis("cells between the walls", heights[0] / 1.1, heights[-1] * 1.1, log=True, at=heights)
    chart.y_axis("relative L2 error of the velocity", min(map(min, errors.values())) / 1.5, 2, log=True)
    for name, own in errors.items():
        width = 4.5 if name == "fp64" else 1.7  # to be seen behind those that are the same
        chart.line(zip(heights, own), FORMATS[name], name, width, mark="disc")
    return chart.lines()


def samples_of(table):
    """The samples of each format with the shift, which lie beside the table."""
    samples = {}
    for name in FORMATS:
        file = f"{stem_of(table)[len('formats_'):]}_{'fp64' if name == 'fp64' else 'fp32'}_{name}.samples"
        path = os.path.join(os.path.dirname(table.path), "samples", file)
        if os.path.exists(path):
            samples[name] = [tuple(map(float, line.split(","))) for line in read_lines(path)]
    if not samples:
        raise Problem(f"there are no samples beside {table.path}")
    return samples


def vortices(table):
    chart = Chart("Taylor-Green vortices at tau 1, speed 0.25", 440)
    chart.x_axis("time, over that in which the velocity falls to 1/e", 0, 45)
    chart.y_axis("kinetic energy, over that of the start", 1e-37, 10, log=True)
    for name, rows in samples_of(table).items():
        chart.line([(time, max(energy, 1e-37)) for _, time, energy in rows if time <= 45], FORMATS[name], name, 1.7)
    return chart.lines()


def street(table):
    late = {name: rows[-32:] for name, rows in samples_of(table).items() if not name.startswith("fp8")}
    steps = [row[0] for rows in late.values() for row in rows]
    chart = Chart("Street behind a cylinder at Re 250, at the centre of the box", 440)
    chart.x_axis("step", min(steps), max(steps))
    chart.y_axis("velocity across the stream, over that of the stream", -1, 1)
    for name, rows in late.items():
        style, width = ("pale", 6) if name == "fp64" else (FORMATS[name], 1.5)  # the others lie on it or beside it
        chart.line([(row[0], row[2]) for row in rows], style, name, width)
    return chart.lines()


def cavity(table):
    rows = table.select({"arithmetic": "fp32"})
    names = unique(row["format"] for row in rows)
    chart = Chart("Cavity at Re 1000: distance of the velocity from that in FP64", 32 * len(names) + 116,
                  left=110, right=30)
    chart.key({"blue": "with the shift", "orange": "without"})
    chart.x_axis("root mean square, over the speed of the lid", 1e-6, 1, log=True)
    for n, name in enumerate(names):
        chart.text(chart.left - 8, chart.top + 32 * n + 21, name, "left")
    for row in rows:
        y = chart.top + 32 * names.index(row["format"]) + 4
        down, colour = (0, "blue") if row["shift"] == "yes" else (13, "orange")
        chart.bar(y + down, 12, 1e-6, float(row["distance"]), colour, row["distance"])
    return chart.lines()


def dissipation(table):
    chart = Chart("Taylor-Green vortices at Re 1600: how fast they lose their energy", 440)
    chart.x_axis("time", 0, 10)
    chart.y_axis("dissipation rate", 0, 0.014)
    for side, speed, style in (("512", "0.025", "blue"), ("128", "0.05", "orange")):
        rows = table.select({"side": side, "speed": speed})
        chart.line([(float(row["t"]), float(row["dissipation"])) for row in rows if row["dissipation"]], style,
                   side + ", energy", 2)
        chart.line([(float(row["t"]), float(row["dissipation_of_enstrophy"])) for row in rows],
                   style + " dashed", side + ", enstrophy", 1.7)
    rows = table.select({"side": "512", "speed": "0.025"})
    chart.line([(float(row["t"]), float(row["reference"])) for row in rows], "black dotted", "spectral, 512", 1.4)
    return chart.lines()


FIGURES = {"speed": speed, "energy": energy, "roofline": roofline, "tune": tune, "stagnation": stagnation,
           "ablation": ablation, "timeline": timeline, "resolution": resolution, "channel": channel,
           "exact_channel": channel, "vortices": vortices, "street": street, "cavity": cavity, "steps": steps,
           "dissipation": dissipation}
BESIDE = {"chapter": chapter, "space": space, "small": small, "cores": cores, "ranks": ranks,
          "ranks_in_space": ranks_in_space, "ladder": ladder.draw}


def draw(name, tables):
    """The lines of a figure, by its name in FIGURES, or in BESIDE with a stage, and its arguments; a table that is not there yet is None."""
    if not all(table and table.rows for table in tables):
        return Chart("There is no record of it yet.", 32).lines()
    try:
        name, *stage = name.split()
        return (FIGURES | BESIDE)[name](*tables, *stage)
    except (KeyError, ValueError, IndexError, TypeError) as error:
        paths = " ".join(table.path for table in tables)
        raise Problem(f"{paths} can't be drawn as {name}: {type(error).__name__}: {error}") from None


# The figures of the chapters: what is drawn, of which tables, for which stages, without their numbers. "DEVICE/" is the
# folder of the reference device, in whose figures' names the device is.
CHAPTERS = [
    ("chapter", "DEVICE/bench_poiseuille", "naive_gpu soa aa aa_fp16s moments"),
    ("chapter", "DEVICE/branch_3x_cavity", "march sweeps"),
    ("chapter", "DEVICE/branch_3x_poiseuille", "pairs two_paths async"),
    ("small", "DEVICE/branch_4x_poiseuille", "graph resident ghosts cluster columns"),
    ("space", "DEVICE/bench_poiseuille DEVICE/branch_5x_abc DEVICE/branch_5x_duct DEVICE/branch_5x_cube", "d3q19"),
    ("chapter", "DEVICE/branch_5x_abc", "moments_3d march_3d sweeps_3d two_paths_3d pieces_3d sixteen_bits_3d"),
    ("chapter", "sixteen_bits", "links two_cells stochastic"),
    ("cores", "cpu cpu_threads", "cpu_vectors cpu_in_place cpu_pairs"),
    ("cores", "cpu_threads cpu_threads", "cpu_threads"),
    ("cores", "cpu_waves cpu_threads", "cpu_waves"),
    ("ranks", "ranks", "ranks overlap deep_halo"),
    ("ranks_in_space", "ranks_3d", "ranks_3d"),
]
OTHERS = [  # name of the file, name of the figure, tables
    *(("DEVICE/" + name, "speed " + numbers, "DEVICE/" + name) for name, numbers in (  # up to six lines
        ("bench_poiseuille", "00 01 02 03 04"), ("bench_cavity", "02 04 05 06 07 35"),
        ("branch_3x_cavity", "30 31 32 33 34 35"), ("branch_4x_poiseuille", "02 40 41 42 43 44"),
        ("branch_5x_abc", "50 51 52 53 54 55"))),
    *(("DEVICE/" + name, "tune", "DEVICE/" + name) for name in ("tune_02_soa", "tune_03_aa", "tune_04_aa_fp16s")),
    *(("formats_" + name, name, "nvidia-h200/formats_" + name) for name in ("channel", "exact_channel", "cavity")),
    ("formats_resolution", "resolution", "formats_resolution formats_populations"),
    ("steps", "steps", "plane_steps space_steps DEVICE/branch_5x_abc"),
    ("dissipation", "dissipation", "taylor_green_3d"),
    ("DEVICE/energy", "energy", "DEVICE/energy"),
    ("DEVICE/ladder", "ladder", " ".join("DEVICE/" + name for name in ladder.RECORD)),
    ("DEVICE/roofline", "roofline", "DEVICE/bench_poiseuille"),
    ("ablation", "ablation", "DEVICE/ablation"),
    ("stagnation", "stagnation", "stagnation"),
    ("timeline", "timeline", "timeline/20_ranks timeline/21_overlap"),
]


def drawn(record):
    """Each figure of the book whose tables are in the repository: its path, its name as `draw` takes it, its tables."""
    number = {stage.split("_", 1)[-1]: stage.split("_")[0] for stage in STAGES}
    listed = [*OTHERS]
    for figure, tables, names in CHAPTERS:
        for name in (name for name in names.split() if name in number):
            file = ("DEVICE/" if tables.startswith("DEVICE/") else "") + "chapter_" + number[name]
            listed.append((file, f"{figure} {number[name]}_{name}", tables))
    device = os.path.basename(record)
    return [(f"docs/figures/{file.replace('DEVICE/', device + '_')}.svg", figure,
             [f"labs/results/{table.replace('DEVICE', device)}.csv" for table in tables.split()])
            for file, figure, tables in listed]


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in FIGURES:
        sys.exit(f"usage: figures.py {'|'.join(FIGURES)} OUT.svg TABLE...")
    try:
        write_lines(sys.argv[2], draw(sys.argv[1], [Table(path) for path in sys.argv[3:]]))
    except (Problem, OSError) as problem:
        sys.exit(f"figures.py: {problem}")
