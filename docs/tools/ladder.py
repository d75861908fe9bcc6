"""The whole ladder: the stages of a branch, the speed that their bytes allow and the one that was measured, the units of
the GPU that were busy, and the energy of an update, as a table and as a chart."""

import os
from typing import NamedTuple

from charts import Chart, spread
from sources import STAGES, Problem, folder_of_record, follows
from tables import ratio, read_table

UNITS = {"DRAM": "dram_percent", "L2": "l2_percent", "SM": "sm_percent"}
BUSY = 80  # percent of its peak from which the busiest unit is drawn as the limit


class Ladder(NamedTuple):
    title: str
    speed: str  # the table of its speeds, and which size of it
    size: str
    counters: str
    profiled: str
    energy: str
    ideas: dict  # of each stage, without its number


LADDERS = {
    "populations": Ladder("Populations, 8192²", "bench_poiseuille", "8192", "profile", "4096", "energy", {
        "naive_gpu": "a thread for each cell", "soa": "structure of arrays", "aa": "one grid, in place",
        "aa_fp16s": "16 bits in memory", "links": "a byte of links", "two_cells": "two cells, prefetch",
        "stochastic": "stochastic rounding"}),
    "moments": Ladder("Moments, 8192²", "branch_3x_poiseuille", "8192", "branch_3x_profile", "4096", "energy", {
        "moments": "six moments a cell", "march": "a warp marches", "sweeps": "five steps a fetch",
        "pairs": "two moments a load", "two_paths": "a path without walls", "async": "asynchronous copies"}),
    "space": Ladder("Three dimensions, 512³", "branch_5x_abc", "512", "branch_5x_profile", "192", "branch_5x_abc", {
        "d3q19": "19 populations", "moments_3d": "nine moments, a tile", "march_3d": "a block marches",
        "sweeps_3d": "three steps a fetch", "two_paths_3d": "a path without walls", "pieces_3d": "pieces of equal cost",
        "sixteen_bits_3d": "moments in 16 bits"}),
}
RECORD = ["bench_poiseuille", "profile", "branch_3x_poiseuille", "branch_3x_profile", "branch_5x_abc", "branch_5x_profile",
          "energy", "runs"]
RUNS = {"populations": [("02_soa", "taylor_green", "without files")],
        "moments": [("35_async", "cavity", "without files"), ("35_async", "taylor_green", "that writes ten files")],
        "space": [("55_pieces_3d", "cube", "without files")]}


class Rung(NamedTuple):
    stage: str
    idea: str
    glups: float
    bytes: float  # of an update, at the least
    limit: float  # GLUPS that a copy's bandwidth allows for these bytes
    gain: float  # over the stage that it follows, if this ladder has it; else 0
    promised: float  # that gain by the bytes alone
    percent: dict  # of its peak, by unit; empty if no counters are recorded
    joules: str


def row_of(table, stage, size):
    return next((row for row in table.rows if (row["stage"], row["size"]) == (stage, size)), None) if table else None


def busy(table, stage, size):
    """How busy the units are, in the mean over the time of a stage's kernels."""
    rows = table.select({"stage": stage, "size": size}) if table else []
    whole = sum(float(row["time_ns"]) for row in rows)
    return {unit: sum(float(row[column]) * float(row["time_ns"]) for row in rows) / whole
            for unit, column in UNITS.items()} if rows else {}


def rungs(name, tables):
    """The rungs of a ladder, from tables by their names; what is not recorded yet is left out."""
    ladder = LADDERS[name]
    stages = {stage.split("_", 1)[1]: stage for stage in STAGES}
    for short, idea in ladder.ideas.items():
        stage = stages.get(short, "")
        row = row_of(tables[ladder.speed], stage, ladder.size)
        if not row:
            continue
        before = row_of(tables[ladder.speed], follows(stage), ladder.size)
        speed, needs = float(row["mlups_mean"]), 1e3 * ratio(row["gbs"], row["mlups_mean"])
        energy = row_of(tables[ladder.energy], stage, ladder.size) or {}
        yield Rung(stage, idea, speed / 1e3, needs, speed / float(row["copy_percent"]) / 10,
                   speed / float(before["mlups_mean"]) if before and before["block_x"] else 0,
                   1e3 * ratio(before["gbs"], before["mlups_mean"]) / needs if before else 0,
                   busy(tables[ladder.counters], stage, ladder.profiled), energy.get("counted_nj", ""))


def three(value):
    """The value with three digits."""
    return f"{value:#.3g}".removesuffix(".")


def table(name, link):
    """A ladder for the pages; `link` makes the link to a stage's chapter."""
    if name not in LADDERS:
        raise Problem(f'"{name}" is no ladder; it takes {", ".join(LADDERS)}')
    ladder = LADDERS[name]
    tables = {kind: read_table(f"{folder_of_record()}/{kind}.csv")
              for kind in (ladder.speed, ladder.counters, ladder.energy)}
    titles = ["stage", "bytes", "limit", "GLUPS", "× by bytes", "× measured", *(f"{unit} %" for unit in UNITS), "nJ"]
    rows = [titles, ["---"] + ["--:"] * (len(titles) - 1)]
    for rung in rungs(name, tables):
        rows.append([link(rung.stage), f"{rung.bytes:.3g}", three(rung.limit), three(rung.glups),
                     *(f"{factor:.2f}" if rung.gain else "-" for factor in (rung.promised, rung.gain)),
                     *(f"{rung.percent[unit]:.0f}" if rung.percent else "-" for unit in UNITS),
                     f"{float(rung.joules):.1f}" if rung.joules else "-"])
    return ["| " + " | ".join(row) + " |" for row in rows] if rows[2:] else ["(No record yet.)"]


# ---- The chart: a ladder for each branch, at whose heights are the speeds ----
RAILS, LABEL, COLUMN = 22, 38, 214  # pixels: from rail to rail, to the labels, to the next ladder


def limit_of(rung):
    """What limits a stage, by its counters: the colour, and the words."""
    if not rung.percent:
        return "grey", "no record"
    unit = max(rung.percent, key=rung.percent.get)
    if rung.percent[unit] >= BUSY:
        return "blue", f"{unit} {rung.percent[unit]:.0f}%"
    return "orange", "waits"


def roofs(own):
    """The limits by bytes, without those that are nearly the same as another."""
    kept = []
    for rung in own:
        if all(abs(rung.bytes / other.bytes - 1) > 0.1 for other in kept):
            kept.append(rung)
    return kept


def draw_ladder(chart, left, own, runs):
    labels = []  # height, colour, value, text, text below it
    top, bottom = min(chart.y(rung.glups) for rung in own) - 9, max(chart.y(rung.glups) for rung in own) + 9
    highest = min(chart.y(rung.limit) for rung in own)
    for x in left, left + RAILS:
        chart.path([(x, bottom), (x, top)], "axis", 1.5)
        chart.path([(x, top), (x, highest)], "axis dotted")
    for rung in own:
        colour, limit = limit_of(rung)
        y = chart.y(rung.glups)
        chart.path([(left, y), (left + RAILS, y)], colour, 5)
        promised = f"{rung.promised:.2f}".removesuffix(".00")
        gain = f"×{rung.gain:.2f} of {promised}, " if rung.gain else ""
        labels.append((y, colour, rung.glups, f"{rung.stage[:2]} {rung.idea}", gain + limit))
    for rung in roofs(own):
        y = chart.y(rung.limit)
        chart.path([(left - 5, y), (left + RAILS + 5, y)], "grey dashed", 1.5)
        labels.append((y, "grey", rung.limit, f"limit of {rung.bytes:.3g} bytes", ""))
    for row, words in runs:
        glups = float(row["mlups_all"]) / 1e3
        chart.mark(left + RAILS / 2, chart.y(glups), "grey ring")
        labels.append((chart.y(glups), "grey", glups, f"{row['stage'][:2]} in a whole run", words))
    for (y, colour, value, text, below), height in zip(labels, spread([label[0] for label in labels], 27, chart.top)):
        chart.path([(left + RAILS + 4, y), (left + LABEL - 2, height)], colour, 0.7)
        chart.text(left + LABEL + 31, height + 1, three(value), ("title" if below else "small") + " left")
        chart.text(left + LABEL + 36, height + 1, text, "small")
        if below:
            chart.text(left + LABEL + 36, height + 13, below, "small " + colour)


def draw(*record):
    tables = {os.path.basename(table.path).removesuffix(".csv"): table for table in record}
    chart = Chart(f"The whole ladder: billions of cells updated in a second (GLUPS), {record[0].told('device')}", 900,
                  left=40, right=4, top=120, bottom=20)
    chart.y_axis("", 10, 520, log=True)
    ladders = {name: list(rungs(name, tables)) for name in LADDERS}
    key = {"blue": f"limited by a unit, at {BUSY}% of its peak or more", "orange": "by waits: no unit is"}
    if not all(rung.percent for own in ladders.values() for rung in own):
        key["grey"] = "no record"
    chart.key(key)
    example = max(ladders["populations"], key=lambda rung: rung.promised)
    chart.text(12, 63, f"×{example.gain:.2f} of {example.promised:.2f}: faster by {example.gain:.2f} than the stage that it "
               f"follows, where the fewer bytes promise {example.promised:.2f}.", "small")
    chart.text(12, 77, "Dashed: the limit that the bandwidth of a copy sets. Ring: a whole run, as lbm run times it. "
               "Equal factors are equal heights.", "small")
    for n, (name, ladder) in enumerate(LADDERS.items()):
        left = chart.left + 10 + n * COLUMN
        runs = [(row, words) for stage, flow, words in RUNS[name]
                for row in tables["runs"].select({"stage": stage, "flow": flow})[-1:]]
        chart.text(left - 6, 106, ladder.title, "title")
        draw_ladder(chart, left, ladders[name], runs)
    return chart.lines()
