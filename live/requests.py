"""Usage: requests.py LBM TABLE OUTPUT. Has `LBM traffic` count and draw the requests of warps at each line of the
stages that the page memory.html shows, and writes what it says into a file of JavaScript. TABLE is the build's
stages.tsv.
"""

import base64
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

STAGES = ("01_naive_gpu", "02_soa", "03_aa", "04_aa_fp16s", "05_links", "06_two_cells", "30_moments")
BLOCKS = ("32x8", "128x1", "16x16", "8x32")
SIZE = "256x64"  # as wide as twice the widest block; the height hardly matters

TOP = pathlib.Path(__file__).resolve().parents[1]


def traffic(lbm, *arguments):
    ended = subprocess.run([lbm, "traffic", *arguments], capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"lbm traffic {' '.join(arguments)}: {ended.stderr.strip()}")
    return ended.stdout


def text_of(where):
    file, line = where.rsplit(":", 1)
    path = TOP / ("stages" if file.endswith("solver.cu") else "common") / file
    return path.read_text(encoding="utf-8").splitlines()[int(line) - 1].strip()


def draw(lbm, stage, block, where, folder):
    """A line's picture, and how many sectors each of the requests in it touches."""
    out = f"{folder}/{stage}_{block}_{re.sub('[^a-z0-9]', '_', where)}.svg"
    traffic(lbm, stage, "--size", SIZE, "--block", block, "--svg", out, "--line", where)
    svg = pathlib.Path(out).read_text(encoding="utf-8")
    return {"where": where, "code": text_of(where), "svg": svg,
            "cost": [int(count) for count in re.findall(r"lanes?: (\d+) sector", svg)]}


def count(lbm, stage, block, folder):
    """The rows of the table of a stage; a row without a file is the sum of a kernel."""
    out = f"{folder}/{stage}_{block}.csv"
    said = traffic(lbm, stage, "--size", SIZE, "--block", block, "--lines", "--csv", out)
    with open(out, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return said.splitlines()[0].split(": ", 1)[1], rows


def record(lbm, stages):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {(stage, block): pool.submit(count, lbm, stage, block, folder) for stage in stages for block in BLOCKS}
        tables = {key: counted.result() for key, counted in counts.items()}
        lines = {key: list(dict.fromkeys(f"{row['file']}:{row['line']}" for row in rows if row["file"]))
                 for key, (_, rows) in tables.items()}
        pictures = {key: [pool.submit(draw, lbm, *key, where, folder) for where in wheres]
                    for key, wheres in lines.items()}
        return [{"name": stage, "summary": tables[stage, BLOCKS[0]][0],
                 "blocks": [{"block": block, "rows": tables[stage, block][1],
                             "lines": [picture.result() for picture in pictures[stage, block]]} for block in BLOCKS]}
                for stage in stages]


def main(lbm, table, output):
    with table.open(encoding="utf-8") as file:
        built = {row["name"] for row in csv.DictReader(file, delimiter="\t") if row["built"] == "yes"}
    recorded = {"size": SIZE, "stages": record(lbm, [stage for stage in STAGES if stage in built])}
    packed = zlib.compress(json.dumps(recorded).encode(), 9)
    output.write_text(f'const REQUESTS = "{base64.b64encode(packed).decode()}"; // JSON, deflated (zlib), in base64\n')


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: requests.py LBM TABLE OUTPUT")
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
