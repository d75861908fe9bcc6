"""Usage: speeds.py LBM PROGRAM.js >labs/results/browser.csv. How many lattice updates the stages of the page flow.html
make in a second of CPU time, as WebAssembly in Node and as native code: of three repeats the fastest.
"""

import os
import platform
import re
import resource
import subprocess
import sys

WIDTH, HEIGHT, RE, REPEATS = 256, 128, 150, 3
STAGES = ("00_cpu_aos", 600), ("10_cpu_vectors", 4000), ("12_cpu_pairs", 4000)  # and the steps that are timed
IN_NODE = """require(process.argv[1])().then(program => {{
    program.ccall("begin_flow", null, ["string", "number", "number", "number", "number"], ["cylinder", {}, {}, {}, {}]);
    for (let step = 0; step < {}; step += 20) // as the page does: between calls Node takes up better code
        program._advance(20);
}});"""


def seconds_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def speed(command_of, steps):
    """MLUPS; the difference of two runs leaves out what a run takes before and after its steps."""
    seconds = min(seconds_of(command_of(2 * steps)) - seconds_of(command_of(steps)) for _ in range(REPEATS))
    return steps * WIDTH * HEIGHT / seconds / 1e6


def main(lbm, program):
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"model name\s*: (.*)", file.read())[1]
    print(f"# what: MLUPS of stages as WebAssembly and as native code, cylinder at {WIDTH} x {HEIGHT} cells, Re {RE}; CPU\n"
          f"# time of one core, the fastest of {REPEATS} runs; the native code uses the vectors of this processor\n"
          f"# machine: {processor}, {platform.system()}, Node {node}\n"
          f"# load average before: {' '.join(f'{load:.2f}' for load in os.getloadavg())}\n"
          "# command: python3 live/speeds.py build/lbm build/live/program.js >labs/results/browser.csv\n"
          "stage,webassembly,native,native_over_webassembly")
    for number, (stage, steps) in enumerate(STAGES):
        here = speed(lambda n: ["node", "-e", IN_NODE.format(WIDTH, HEIGHT, RE, number, n), program], steps)
        native = speed(lambda n: [lbm, "run", stage, "cylinder", "--size", f"{WIDTH}x{HEIGHT}", "--re", str(RE),
                                  "--steps", str(n), "--quiet"], steps)
        print(f"{stage},{here:.0f},{native:.0f},{native / here:.2f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: speeds.py LBM PROGRAM.js")
    main(sys.argv[1], re.sub(r"^(?!/)", "./", sys.argv[2]))
