"""Usage: records.py RESULTS OUTPUT. Writes the speeds of stages 01 to 04 in the tables of record of a GPU, the folder
RESULTS, into a file of JavaScript, for the page gpu.html.
"""

import csv
import json
import pathlib
import re
import sys

BLOCK = ("128", "1")


def read(path):
    """What the head of a table says, and its rows for blocks of the shape BLOCK."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = dict(re.findall(r"^# (\w+): (.*)$", "\n".join(lines), re.M))
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return head, [row for row in rows if (row["block_x"], row["block_y"]) == BLOCK and row["stage"][:2] in
                  ("01", "02", "03", "04")]


def copy_of(head):
    """Bytes that a copy reads and writes in a second."""
    return 1e9 * float(head["copy"].split()[0])


def main(results, output):
    head, rows = read(results / "bench_poiseuille.csv")
    records = {"device": head["device"].removeprefix("NVIDIA "), "block": [int(side) for side in BLOCK], "cuda": {}, "webgpu": {},
               "copies": {"CUDA": copy_of(head)}}
    for row in rows:
        records["cuda"].setdefault(row["stage"], {})[row["size"]] = float(row["mlups_mean"])
    head, rows = read(results / "webgpu.csv")
    records["copies"]["WebGPU"] = copy_of(head)
    for row in rows:
        records["webgpu"].setdefault(row["form"], {}).setdefault(row["stage"], {})[row["size"]] = float(row["mlups"])
    output.write_text(f"const RECORDS = {json.dumps(records)};\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: records.py RESULTS OUTPUT")
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
