"""cavity_of_lbmpy.py TURN RUNS SIZE NAME=SOLVER.so...

Times the solvers by TURN, and between them lbmpy's own kernels for the lid-driven cavity: explicit SIMD, single
precision, one core, each way to stream. Prints a line for each: size, program, way, equilibrium, MLUPS with walls,
MLUPS of the kernel alone; the fastest of RUNS runs, by the CPU time of the process.
"""
import subprocess
import sys
import time
import warnings
from dataclasses import replace

warnings.filterwarnings("ignore")
import numpy as np
from lbmpy import LBMConfig, LBMOptimisation, LBStencil, Method, Stencil
from lbmpy import create_lb_collision_rule, create_lb_method, create_lb_update_rule
from lbmpy.advanced_streaming import Timestep, is_inplace
from lbmpy.boundaries import UBB, NoSlip
from lbmpy.boundaries.boundaryhandling import LatticeBoltzmannBoundaryHandling
from lbmpy.macroscopic_value_kernels import macroscopic_values_setter
from pystencils import CreateKernelConfig, Target, create_data_handling, create_kernel
from pystencils.slicing import slice_from_direction

WAYS = ("pull", "aa", "esotwist", "esopull")
EQUILIBRIA = ("compressible", "incompressible")
SHORTEST = 0.1  # seconds of a window
WINDOWS = 3
TAU = 0.8
LID = 0.05


class Cavity:
    """A cavity of size x size fluid cells, walls outside."""

    def __init__(self, size, way, equilibrium):
        self.inplace = is_inplace(way)
        self.data = create_data_handling(
            (size, size), periodicity=False, default_ghost_layers=1, default_layout="fzyx")
        array = {"values_per_cell": 9, "dtype": np.float32, "alignment": 64}
        fields = {"symbolic_field": self.data.add_array("f", **array)}
        if not self.inplace:
            fields["symbolic_temporary_field"] = self.data.add_array("next", **array)
        lbm = LBMConfig(
            stencil=LBStencil(Stencil.D2Q9), method=Method.SRT, relaxation_rate=1.0 / TAU,
            compressible=equilibrium == "compressible", streaming_pattern=way)
        self.method = create_lb_method(lbm)
        self.kernels = self.compile(lbm, LBMOptimisation(**fields))
        self.set_walls(way)
        self.set_at_rest(fields["symbolic_field"], way)
        self.steps = 0

    def compile(self, lbm, optimisation):
        """The kernels of a pass: one, or in place an even and an odd one."""
        config = CreateKernelConfig(target=Target.auto_cpu(), default_dtype="float32")
        config.cpu.vectorize.enable = True
        config.cpu.vectorize.assume_inner_stride_one = True
        rule = create_lb_collision_rule(lb_method=self.method, lbm_config=lbm, lbm_optimisation=optimisation)
        return [
            create_kernel(
                create_lb_update_rule(
                    collision_rule=rule, lbm_config=replace(lbm, timestep=step), lbm_optimisation=optimisation),
                config).compile()
            for step in ((Timestep.EVEN, Timestep.ODD) if self.inplace else (Timestep.BOTH,))]

    def set_walls(self, way):
        self.walls = LatticeBoltzmannBoundaryHandling(
            self.method, self.data, "f", streaming_pattern=way, default_dtype="float32")
        self.walls.set_boundary(UBB((LID, 0), data_type="float32"), slice_from_direction("N", 2))
        for side in "WES":
            self.walls.set_boundary(NoSlip(), slice_from_direction(side, 2))

    def set_at_rest(self, field, way):
        before = Timestep.ODD if self.inplace else Timestep.BOTH
        rest = macroscopic_values_setter(
            self.method, density=1.0, velocity=(0.0, 0.0), pdfs=field, streaming_pattern=way, previous_timestep=before)
        self.data.fill("f", 0.0, ghost_layers=True)
        self.data.run_kernel(create_kernel(rest, default_dtype="float32").compile())
        if not self.inplace:
            self.data.fill("next", 0.0, ghost_layers=True)

    def advance(self, steps, walls):
        for _ in range(steps):
            step = Timestep(self.steps % 2) if self.inplace else Timestep.BOTH
            if walls:
                self.walls(prev_timestep=step.next())
            self.data.run_kernel(self.kernels[self.steps % len(self.kernels)])
            if not self.inplace:
                self.data.swap("f", "next")
            self.steps += 1

    def is_sane(self):
        return bool(np.isfinite(self.data.cpu_arrays["f"]).all())


def seconds(cavity, steps, walls):
    start = time.process_time()
    cavity.advance(steps, walls)
    return time.process_time() - start


def mlups(cavity, size, walls):
    """Of the fastest window of one one_run."""
    steps = 2
    while (taken := seconds(cavity, steps, walls)) < SHORTEST / 2:
        steps *= 2
    steps = max(2, 2 * round(steps * SHORTEST / taken / 2))
    return size * size * steps / min(seconds(cavity, steps, walls) for _ in range(WINDOWS)) / 1e6


def solver_mlups(one_run, library, size):
    return float(subprocess.run([one_run, library, str(size)], check=True, capture_output=True).stdout.split()[0])


def main():
    one_run, runs, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    solvers = dict(argument.split("=", 1) for argument in sys.argv[4:])
    cavities = {(way, kind): Cavity(size, way, kind) for kind in EQUILIBRIA for way in WAYS}
    best = {}

    def keep(key, speed):
        best[key] = max(best.get(key, 0.0), speed)

    for _ in range(runs):
        for name, library in solvers.items():
            keep(name, solver_mlups(one_run, library, size))
        for key, cavity in cavities.items():
            keep((*key, True), mlups(cavity, size, True))
    for key, cavity in cavities.items():
        if not cavity.is_sane():
            sys.exit(f"the cavity of lbmpy, {key[0]}, {key[1]}, diverged: its speed means nothing")
    for _ in range(runs):
        for key, cavity in cavities.items():
            keep((*key, False), mlups(cavity, size, False))
    for name in solvers:
        print(f"{size},{name},,compressible,{best[name]:.1f},")
    for key in cavities:
        print(f"{size},lbmpy,{key[0]},{key[1]},{best[(*key, True)]:.1f},{best[(*key, False)]:.1f}")


main()
