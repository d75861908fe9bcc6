"""Usage: wgsl.py WGSL.py COMMON 'CLANG...' STAGES. What live/wgsl.py writes of stages 01 and 02 differs in exactly the
functions in which their CUDA C differs; what it can't translate, or read, is one line.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


REFUSED = (  # what would mean something else in WGSL, or nothing
    "for (int i = 0; i + 1 < 9; i++) f[i] = 0.0f;", "int j = 0; for (int i = 0; i < 9; j++) f[i] = 0.0f;",
    "for (int i = 0; i < 9; i++) { const int i = 5; f[0] = i; }", "for (int i = 0; i < 9; i++) i += 1;",
    "float g[9] = {1.0f}; f[0] = g[1];", "const CellType back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6}; f[0] = back[cell % 9];",
    "const CellType t = x + 250; f[0] = t;", "f[0] = x > 5 ? sum(f) : 0.0f;", "const unsigned block_x = 3; f[0] = block_x;",
    "f[0] = is_wall(*(type + 1));", "while (f[0] > 1.0f) f[0] -= 1.0f;", "f[0] = 1.0 / 3.0 * f[0];",
    "switch (x) { case 1 ... 4: return; default: return; }")


def check(right, message):
    if not right:
        sys.exit(f"wrong: {message}")


def functions_in(text):
    """Functions by name, and the text without them."""
    function = r"^(?:static|HOST_DEVICE|fn) [^;{}]*?(\w+)\([^;{}]*\{.*?^\}\n"
    found = {match[1].rstrip("_"): match[0] for match in re.finditer(function, text, re.M | re.S)}
    return found, re.sub(r"^//.*\n", "", re.sub(function, "", text, flags=re.M | re.S), flags=re.M)


def differing(one, other):
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def main(script, common, clang, stages):
    with tempfile.TemporaryDirectory() as folder:
        def translate(*solvers):
            return subprocess.run([sys.executable, "-B", script, f"{folder}/kernels.js", common, clang, *solvers],
                                  capture_output=True, text=True)

        def check_refused(solver, expected):
            ended = translate(solver)
            check(ended.returncode != 0 and re.fullmatch(expected + ".*\n", ended.stderr), f"{solver}: {ended.stderr}")

        solvers = [f"{stages}/{name}/solver.cu" for name in ("01_naive_gpu", "02_soa")]
        ended = translate(*solvers)
        check(ended.returncode == 0, ended.stderr)
        kernels = json.loads(re.match(r"const KERNELS = (\{.*?\});$", pathlib.Path(f"{folder}/kernels.js").read_text(
            encoding="utf-8"), re.M | re.S)[1])
        cuda = [functions_in(pathlib.Path(solver).read_text(encoding="utf-8"))[0] for solver in solvers]
        wgsl, rest = zip(*(functions_in(stage["loops"]) for stage in kernels.values()))
        right = differing(*cuda) & wgsl[0].keys()
        check({"at", "step"} <= right, f"01 and 02 differ in {right}")
        check(differing(*wgsl) == right, f"the WGSL differs in {differing(*wgsl)}, the CUDA C in {right}")
        check(rest[0] == rest[1], f"the WGSL differs outside functions: {rest}")
        check(all("for (" not in stage["unrolled"] for stage in kernels.values()), "a loop is left where loops are unrolled")
        there = "    collide(f, type[cell], y, &physics);\n"
        solver = pathlib.Path(solvers[1]).read_text(encoding="utf-8")
        line = solver[:solver.index(there)].count("\n") + 1
        for n, construct in enumerate(REFUSED):
            path = pathlib.Path(f"{folder}/solver{n}.cu")
            path.write_text(solver.replace(there, f"    {construct}\n{there}"), encoding="utf-8")
            check_refused(path, re.escape(f"{path}:{line}: "))
        check_refused(f"{stages}/05_links/solver.cu", re.escape(f"{stages}/05_links/solver.cu:") + r"\d+: ")
        check_refused(f"{folder}/none.cu", f".*{folder}/none.cu")
    print(f"01 and 02 differ in {', '.join(sorted(right))}")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: wgsl.py WGSL.py COMMON 'CLANG...' STAGES")
    main(*sys.argv[1:])
