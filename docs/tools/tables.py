"""The measured tables, CSV files with lines of # at their heads: numbers out of them, and tables for the pages."""

import functools
import glob
import itertools
import os
import re

from sources import Problem, folder_of_record, needs_mpi, read_lines

NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


class Table:
    def __init__(self, path):
        lines = read_lines(path)
        self.path = path
        self.head = [line for line in lines if line.startswith("#")]
        if any(line.startswith("# interrupted:") for line in self.head):
            raise Problem(f"{path} was interrupted: it is not all of the table")
        fields = [line.split(",") for line in lines if not line.startswith("#")]
        self.columns = fields[0] if fields else []
        self.rows = [dict(itertools.zip_longest(self.columns, row, fillvalue="")) for row in fields[1:]]

    def told(self, key):
        """What the head says after "# key: ", or nothing."""
        return next((line[len(key) + 4:] for line in self.head if line.startswith(f"# {key}: ")), "")

    def require(self, columns):
        for column in columns:
            if column not in self.columns:
                raise Problem(f'{self.path} has no column "{column}"')

    def select(self, wanted):
        return [row for row in self.rows if all(row[column] == value for column, value in wanted.items())]


@functools.lru_cache(maxsize=None)
def read_table(path):
    """The table, or None if there is no file or nothing but a head in it."""
    table = Table(path) if os.path.exists(path) else None
    return table if table and table.columns else None


# ---- Numbers ----
NO_RECORD = "(no record yet)"
QUERY = re.compile(r"(\S+) where (.+?)(?: over (.+?))?(?: times (\S+))?(?: as (\S+))?")


def number(text, complaint='"{}" is no number'):
    if not NUMBER.fullmatch(text):
        raise Problem(complaint.format(text))
    return float(text)


def conditions(text):
    pairs = [part.split("=") for part in text.split()]
    for pair in pairs:
        if len(pair) != 2:
            raise Problem(f'"{"=".join(pair)}" is no COLUMN=VALUE')
    return dict(pairs)


def cell(table, column, wanted, text, is_reference):
    """The cell of the one row that fits, or None where the reference device has no row of that stage."""
    table.require([*wanted, column])
    rows = table.select(wanted)
    if not rows and is_reference and "stage" in wanted and not table.select({"stage": wanted["stage"]}):
        return None
    if len(rows) != 1:
        rows = f"{len(rows)} rows of {table.path} fit" if rows else f"no row of {table.path} fits"
        raise Problem(f'{rows} "{text}"')
    if not rows[0][column]:
        raise Problem(f'"{column}" is empty in the row of {table.path} that fits "{text}"')
    return rows[0][column]


def ratio(above, below):
    if not (NUMBER.fullmatch(above) and NUMBER.fullmatch(below) and float(below) != 0):
        raise Problem(f'"{above}" can\'t be divided by "{below}"')
    return float(above) / float(below)


def answer(path, query):
    """The number that a query selects, as text. A query is [reference: ]COLUMN where COLUMN=VALUE ...
    [over COLUMN=VALUE ...] [times NUMBER] [as FORMAT]. The row is the one that has those values; `over` divides by the
    same column of the row that differs in what follows; FORMAT is printf's."""
    is_reference = query.startswith("reference: ")
    query = query.removeprefix("reference: ")
    found = QUERY.fullmatch(query)
    if not found:
        raise Problem(f'"{query}" is no query; it takes COLUMN where COLUMN=VALUE ... [over ...] [times ...] [as ...]')
    column, where, over, times, form = found.groups()
    if form and not re.fullmatch(r"%(\.[0-9]+)?[dfeg](%%|0*)", form):
        raise Problem(f'"{form}" is no format; it takes %d, %.2f, %.0f%% and the like')
    factor = number(times, '"{}" is no number to multiply by') if times else 1
    wanted, other = conditions(where), conditions(over or "")
    table = read_table(path)
    if not table and not is_reference:
        raise Problem(f"there is no table {path}")
    value = table and cell(table, column, wanted, where, is_reference)
    below = value and over and cell(table, column, wanted | other, over, is_reference)
    if not value or over and not below:
        return NO_RECORD
    if not (over or times or form):
        return value
    result = (ratio(value, below) if over else number(value)) * factor
    return (form or ("%d" if result.is_integer() else "%.6g")) % result


# ---- Tables ----
PROFILE = ("stage size kernel dram_percent l2_percent sm_percent l1_hit_percent sectors_per_load sectors_per_store "
           "occupancy_percent registers")
SHOWN = {  # of tables with such names; of others, all columns
    "bench_.*|branch_[345]x_(cavity|poiseuille|abc|duct|cube)":
        "size stage block_x block_y mlups_mean cv_percent gbs copy_percent over_before",
    ".*profile.*": PROFILE + " time_ns dram_read_bytes dram_write_bytes l2_write_bytes",
    "phases|ablation": "size stage phase step_us mlups over_first_phase",
    "formats.*_speed": "stage size mlups_mean cv_percent gbs copy_percent",
    "energy": "stage size mlups_mean cv_percent counted_w sampled_w counted_nj sampled_nj clock_min_mhz "
              "clock_median_mhz throttle",
    "webgpu": "size stage form block_x block_y mlups gbs copy_percent",
    "sweep_.*": "rank block_x block_y threads mlups_mean cv_percent percent_of_best",
}
TITLES = [("_percent", " %"), ("_mean", ""), ("mlups", "MLUPS"), ("gbs", "GB/s"), ("dram", "DRAM"), ("^sm", "SM"),
          ("^l1", "L1"), ("^l2", "L2"), ("^cv", "CV"), ("over_before", "× before"), ("over_first_phase", "/ phase 0"),
          ("_us", " µs"), ("_w$", " W"), ("_nj$", " nJ"), ("_mhz$", " MHz"), ("_mib$", " MiB"), ("_", " ")]
FOLDED = 16  # rows


def short(value):
    found = re.fullmatch(r"-?([0-9]+\.[0-9]*)(e-[0-9]+)?", value)
    if not found or len(found[1]) <= 6:
        return value
    return ("%.0f" if float(value) >= 1000 else "%.1f" if float(value) >= 100 else "%.3g") % float(value)


def title(column):
    for pattern, text in TITLES:
        column = re.sub(pattern, text, column)
    return column


def is_number(text):
    return re.fullmatch(r"[-+.0-9]+(e[-+][0-9]+)?", text) is not None


def shown(table, stages):
    """The titles of the columns that are shown, and of the rows of these stages (of all, if none is named) each one's
    stage and cells."""
    kind = os.path.basename(table.path).removesuffix(".csv")
    columns = next((names.split() for pattern, names in SHOWN.items() if re.fullmatch(pattern, kind)), table.columns)
    if "profile" in kind and stages:
        columns = PROFILE.split()
    table.require(columns)
    rows = [(row.get("stage"), [short(row[name]) for name in columns]) for row in table.rows]
    return [title(name) for name in columns], [row for row in rows if not stages or row[0] in stages]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def in_html(path, stages):
    """The table for Doxygen; of these stages, the last is marked."""
    table = read_table(path)
    titles, rows = shown(table, stages) if table else ([], [])
    if not rows:
        return [f'<p class="no_record">There is no record of it yet in {path}.</p>']
    lines = [f'<details class="rows"><summary>{len(rows)} rows</summary>'] if len(rows) > FOLDED else []
    lines.append('<div class="record"><table class="record">')
    lines.append("<tr>" + "".join(f"<th>{text}</th>" for text in titles) + "</tr>")
    for stage, cells in rows:
        mark = ' class="now"' if len(stages) > 1 and stage == stages[-1] else ""
        cells = [f'<td class="number">{text}</td>' if is_number(text) else f"<td>{text}</td>" for text in cells]
        lines.append(f"<tr{mark}>" + "".join(cells) + "</tr>")
    head = "".join(re.sub("`(.*?)`", r"<code>\1</code>", escape(re.sub("^# *", "", line))) + "<br/>"
                   for line in table.head)
    return lines + ["</table></div>" + ("</details>" if len(rows) > FOLDED else ""),
                    f'<details class="source"><summary>From {path}</summary>{head}</details>']


def in_markdown(path, stages, link):
    """The table for a forge: a long one that is shown whole is only linked, as a forge shows a CSV file as a table."""
    table = read_table(path)
    titles, rows = shown(table, stages) if table else ([], [])
    if not rows:
        return ["(No record yet.)"]
    device = next((line[10:] for line in reversed(table.head) if line.startswith("# device: ")), "")
    file = f"[{os.path.basename(path)}]({link})"
    if len(rows) > FOLDED and not stages:
        return [f"See the {len(rows)} rows of {file}{f' ({device})' if device else ''}."]
    columns = zip(*(cells for _, cells in rows))
    rules = ["|--:" if all(not text or is_number(text) for text in column) else "|---" for column in columns]
    lines = ["".join(f"| {text} " for text in titles) + "|", "".join(rules) + "|"]
    lines += ["".join(f"| {text} " for text in cells) + "|" for _, cells in rows] + [""]
    if len(rows) > FOLDED:
        lines = [f"<details><summary>{len(rows)} rows</summary>", "", *lines, "</details>", ""]
    return [*lines, f"From {file}{f': {device}' if device else ''}."]


# ---- Counted and measured ----
TRAFFIC = "labs/results/traffic.csv"  # 512 x 512 cells
PROFILES = ("profile.csv", "branch_3x_profile.csv", "branch_4x_profile.csv")  # of the reference device
HERE, LARGE = "512", "4096"


def profiled(stage, kernel, size):
    """The row of the reference device's profiles, or an empty one."""
    wanted = {"stage": stage, "kernel": kernel, "size": size}
    found = [table.select(wanted) for name in PROFILES if (table := read_table(f"{folder_of_record()}/{name}"))]
    return next((rows[0] for rows in found if rows), {})


def traffic_row(stage, kernel, counted):
    """`counted` are the kernel's rows of the table, by access. The last two numbers are bytes for each cell."""
    load, store = counted.get("load"), counted.get("store")
    here = profiled(stage, kernel, HERE) or profiled(stage, kernel, LARGE)
    read = profiled(stage, kernel, LARGE).get("dram_read_bytes")
    sectors = [row and ratio(row["sectors"], row["requests"]) for row in (load, store)]
    values = [sectors[0], here.get("sectors_per_load"), sectors[1] or 0, here.get("sectors_per_store"),
              load and 100 * ratio(load["l1_hits"], load["sectors"]), here.get("l1_hit_percent"),
              load and number(load["distinct_bytes"]) / int(HERE) ** 2, read and number(read) / int(LARGE) ** 2]
    forms = ["%.2f"] * 4 + ["%.1f"] * 2 + ["%.2f"] * 2
    return [stage, kernel] + [form % float(value) if value not in (None, "") else "-"
                              for form, value in zip(forms, values)]


def traffic():
    """Of each kernel what `lbm traffic` counts, beside what the reference device's profiler measures."""
    table = read_table(TRAFFIC)
    if not table:
        return ["(No record yet.)"]
    table.require("stage kernel access requests sectors l1_hits distinct_bytes".split())
    kernels = {}
    for row in table.rows:
        kernels.setdefault((row["stage"], row["kernel"]), {})[row["access"]] = row
    titles = ["stage", "kernel", "sectors a load: counted", "measured", "a store: counted", "measured",
              "L1 hits %: counted", "measured", "bytes read a cell: counted", "measured"]
    rows = [titles, ["---"] * 2 + ["--:"] * 8]
    rows += [traffic_row(stage, kernel, counted) for (stage, kernel), counted in kernels.items()]
    return ["| " + " | ".join(row) + " |" for row in rows]


# ---- Devices ----
def speeds_of(folder):
    """The rows of a device's channel by stage, on the largest grid that its first table has: of one process, and of a
    GPU's table those with blocks, as the others ran beside it."""
    table = read_table(f"{folder}/bench_poiseuille.csv")
    table.require("stage size block_x mlups_mean cv_percent copy_percent".split())
    size = max((row["size"] for row in table.rows), key=int)
    found = [other for name in ("bench_poiseuille", "branch_3x_poiseuille", "branch_4x_poiseuille")
             if (other := read_table(f"{folder}/{name}.csv"))]
    rows = [row for other in reversed(found) for row in other.select({"size": size}) if row["mlups_mean"]]
    on_cpu = table.told("device") == "none"
    return size, {row["stage"]: row for row in rows if not needs_mpi(row["stage"]) and (on_cpu or row["block_x"])}


def told_by_sensor(folder):
    """The power limit and the highest clock of a device, if energy.csv knows them."""
    table = read_table(f"{folder}/energy.csv")
    text = table.told("energy") if table else ""
    found = [re.search(pattern, text) for pattern in (r"limit ([0-9]+ W)", r"at most ([0-9]+ MHz)")]
    return [match[1] if match else "-" for match in found]


def validated(folder):
    """What `lbm validate` said of its stages."""
    path = f"{folder}/validate.txt"
    if not os.path.exists(path):
        return "-"
    return "no" if any(re.search(r" FAIL([ ,]|$)", line) for line in read_lines(path)) else "yes"


def share_and_speed(row):
    """A cell: GLUPS, and in brackets the share of a copy."""
    return f'{float(row["mlups_mean"]) / 1000:.3g} ({float(row["copy_percent"]):.0f}%)' if row else "-"


def device_row(folder, stages, way):
    table = read_table(f"{folder}/bench_poiseuille.csv")
    name = table.told("device") if table.told("device") != "none" else table.told("host")
    size, rows = speeds_of(folder)
    variations = [float(row["cv_percent"]) for row in rows.values() if row["cv_percent"]]
    facts = [f"[{name}]({way(folder)}/)" if way else name, table.told("driver").split(",")[0], *told_by_sensor(folder),
             table.told("commit"), validated(folder), size, f"{max(variations):.2g}" if variations else "-"]
    return facts + [share_and_speed(rows.get(stage)) for stage in stages]


def devices(way=None):
    """All devices whose folders lie in labs/results; `way` makes the link to a folder from its path."""
    folders = [os.path.dirname(path) for path in sorted(glob.glob("labs/results/*/bench_poiseuille.csv"))]
    stages = sorted({stage for folder in folders for stage in speeds_of(folder)[1]})
    titles = ["device", "driver", "power limit", "highest clock", "commit", "validated", "grid", "largest CV %"]
    rows = [titles + [stage.split("_")[0] for stage in stages], ["---"] * 6 + ["--:"] * (2 + len(stages))]
    rows += [device_row(folder, stages, way) for folder in folders]
    return ["| " + " | ".join(row) + " |" for row in rows]
