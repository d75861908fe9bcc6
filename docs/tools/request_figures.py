"""Usage: request_figures.py LBM [--check]. Has `LBM traffic` draw the requests of warps that the book shows, docs/figures/
request_*.svg; with --check it only reports which figures differ. Fails if one differs or can't be drawn.
"""

import glob
import os
import pathlib
import subprocess
import sys
import tempfile

from sources import Problem, holds, packed, read_lines, write_lines

LATTICE = "common/lattice/d2q9.h"

# Each figure: its name, the stage without its number, the size, the file whose line is drawn, and how that line begins;
# the first such line counts. At 256 the warp in the middle of the last stage stays away from the borders, at 512 it does
# not.
FIGURES = [
    ("01", "naive_gpu", "512", "solver.cu", "f[i] = from[at("),
    ("02_load", "soa", "512", "solver.cu", "f[i] = from[at("),
    ("02_store", "soa", "512", "solver.cu", "to[at(destination.cell"),
    ("03_odd", "aa", "512", "solver.cu", "f[opposite(i)] = grid[slot[i]]"),
    ("exercise_sectors", "naive_gpu", "512", LATTICE, "const int wall = is_wall(type[neighbour]"),
    ("06", "two_cells", "512", "solver.cu", "const __half2 both = shift"),
    ("30", "moments", "512", "solver.cu", "const float jx = m[at("),
    ("35", "async", "256", "solver.cu", "copy_async(buffer"),
]


def numbered(name):
    found = [os.path.basename(path) for path in glob.glob(f"stages/[0-9]*_{name}") if path.split("_", 1)[1] == name]
    if len(found) != 1:
        raise Problem(f'{len(found)} stages are named "{name}" behind their number; docs/tools/request_figures.py takes one')
    return found[0]


def number_of(path, beginning):
    for number, line in enumerate(read_lines(path), 1):
        if line.strip().startswith(beginning):
            return number
    raise Problem(f'{path} has no line that begins with "{beginning}"; docs/tools/request_figures.py draws it')


def draw(lbm, stage, size, file, beginning, out):
    """The lines of the figure; `out` is where `lbm` may put it."""
    stage = numbered(stage)
    number = number_of(f"stages/{stage}/{file}" if file == "solver.cu" else file, beginning)
    line = f"{stage}/{file}:{number}" if file == "solver.cu" else f"{os.path.basename(file)}:{number}"
    command = [lbm, "traffic", stage, "--size", size, "--block", "32x8", "--svg", out, "--line", line]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        raise Problem(f"lbm traffic {stage} --line {line}: {ended.stderr.strip()}")
    return packed(read_lines(out))


def main(lbm, check):
    """Draws all figures, or only looks (`check`): the complaints that are left."""
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        for name, *line in FIGURES:
            figure = f"docs/figures/request_{name}.svg"
            lines = draw(lbm, *line, folder + "/request.svg")
            if not holds(figure, lines) and check:
                complaints.append(f"{figure}:1: it is not what `lbm traffic` draws now; build the target request_figures")
            elif not holds(figure, lines):
                write_lines(figure, lines)
    return complaints


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit("usage: request_figures.py LBM [--check]")
    program = os.path.abspath(sys.argv[1])
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    try:
        sys.exit("\n".join(main(program, "--check" in sys.argv)) or 0)
    except Problem as problem:
        sys.exit(str(problem))
