"""Usage: measure.py BUILD KERNELS.js TABLE.csv [SIZE...]. The speeds of stages 01 to 04 as WebGPU on this machine's GPU,
without a browser. It takes the package wgpu (pip install wgpu==0.32.0), and of BUILD the programs lbm and webgpu_given:

    cmake --build build --target lbm webgpu_given
    python3 live/wgsl.py build/kernels.js common clang stages/0[1-4]_*/solver.cu
    python3 labs/webgpu/measure.py build build/kernels.js webgpu.csv

Each stage, in each form, is first compared with the program; what is wrong is not timed.
"""

import csv
import datetime
import json
import math
import pathlib
import re
import struct
import subprocess
import sys

try:
    import wgpu
    from wgpu.backends import wgpu_native
except ImportError:
    sys.exit("measure.py: the package wgpu is missing (pip install wgpu==0.32.0)")

FORMS = ("unrolled", "loops", "packed")
SIZES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
BLOCK, MOST_THREADS = (128, 1), 256  # what every browser allows
RANKED = 4096  # cells of a side at which shapes of blocks are compared
WALL = 4  # this type and those above it have no populations (lattice/cell.h)
CHECKED_STEPS, CHECKED_SIZE = 400, 64
BOUNDS = {4: 2e-6, 2: 3e-4}  # of differences in density and velocity, by the bytes of a number
REPEATS = 5
ENOUGH = 0.1  # seconds that a repeat takes
MOST_CALLS = 4000  # of a repeat: the script needs longer to write them down than a small grid to compute them
VEC4, LOOK_BINDING = 16, 8
USAGE = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST

COPY = """
@group(0) @binding(0) var<storage, read> source: array<KIND>;
@group(0) @binding(1) var<storage, read_write> goal: array<KIND>;

@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let n = id.y * groups.x * 256u + id.x;
    if (n < arrayLength(&goal)) {
        goal[n] = source[n];
    }
}
"""

# Stands behind the kernels of a stage, whose own function finds the populations of a cell.
LOOK = """
@group(0) @binding(8) var<storage, read_write> seen: array<vec4f>; // [height][width]

@compute @workgroup_size(64)
fn look(@builtin(global_invocation_id) id: vec3u) {
    let site = Site(u32(physics.width) * u32(physics.height), id.y * u32(physics.width) + id.x, i32(id.x), i32(id.y), 0);
    if (site.x >= physics.width) {
        return;
    }
    var f: array<f32, 9>;
    get_(site, &f);
    let now = moments(&f);
    seen[site.cell] = vec4f(1.0f + now.drho, now.ux, now.uy, 0.0f);
}
"""


class Gpu:
    def __init__(self):
        order = ["DiscreteGPU", "IntegratedGPU", "VirtualGPU", "Other", "Unknown", "CPU"]
        adapters = [adapter for adapter in wgpu.gpu.enumerate_adapters_sync() if "timestamp-query" in adapter.features
                    and adapter.info["backend_type"] != "OpenGL"]
        if not adapters:
            sys.exit("measure.py: no GPU that WebGPU reaches and that has a clock (is the driver's Vulkan installed?)")
        adapter = min(adapters, key=lambda one: order.index(one.info["adapter_type"]))
        self.info, self.has_halves = adapter.info, "shader-f16" in adapter.features
        self.limits = {name: adapter.limits[name] for name in (
            "max-buffer-size", "max-storage-buffer-binding-size", "max-compute-invocations-per-workgroup")}
        self.most_bytes = min(self.limits["max-buffer-size"], self.limits["max-storage-buffer-binding-size"])
        self.device = adapter.request_device_sync(
            required_features=["timestamp-query"] + ["shader-f16"] * self.has_halves, required_limits=self.limits)
        self.queue = self.device.queue
        self.queries = self.device.create_query_set(type="timestamp", count=2)
        self.times = self.device.create_buffer(
            size=16, usage=wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC)
        self.tick = 1e-9 * wgpu_native.lib.wgpuQueueGetTimestampPeriod(self.queue._internal)

    def buffer(self, size):
        return self.device.create_buffer(size=-(-size // 16) * 16, usage=USAGE)

    def buffer_of(self, data):
        buffer = self.buffer(len(data))
        self.queue.write_buffer(buffer, 0, data + bytes(-len(data) % 4))
        return buffer

    def pipeline(self, layout, code, entry, constants=None):
        layout = self.device.create_pipeline_layout(bind_group_layouts=[layout])
        compute = {"module": self.device.create_shader_module(code=code), "entry_point": entry,
                   "constants": constants or {}}
        return self.device.create_compute_pipeline(layout=layout, compute=compute)

    def layout(self, kinds):
        return self.device.create_bind_group_layout(entries=[
            {"binding": n, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}} for n, kind in kinds.items()])

    def group(self, layout, buffers):
        return self.device.create_bind_group(layout=layout, entries=[
            {"binding": n, "resource": {"buffer": buffer}} for n, buffer in buffers.items()])

    def run(self, calls, count, groups):
        """Makes calls (pipeline, group) in turn. Returns the seconds that they took by the clock of the GPU."""
        encoder = self.device.create_command_encoder()
        work = encoder.begin_compute_pass(timestamp_writes={
            "query_set": self.queries, "beginning_of_pass_write_index": 0, "end_of_pass_write_index": 1})
        for n in range(count):
            pipeline, group = calls[n % len(calls)]
            work.set_pipeline(pipeline)
            work.set_bind_group(0, group)
            work.dispatch_workgroups(*groups)
        work.end()
        encoder.resolve_query_set(self.queries, 0, 2, self.times, 0)
        self.queue.submit([encoder.finish()])
        begin, end = struct.unpack("2Q", self.queue.read_buffer(self.times))
        return (end - begin) * self.tick

    def timed(self, calls, groups):
        """Seconds of a call, the least of some repeats, and the calls of a repeat. What runs before is the warm-up."""
        count = 2
        self.run(calls, count, groups)
        while self.run(calls, count, groups) < ENOUGH and count < MOST_CALLS:
            count *= 2
        return min(self.run(calls, count, groups) for _ in range(REPEATS)) / count, count

    def copy(self, size, kind):
        """As bytes read and written in a second, and how many copies a repeat made."""
        layout = self.layout({0: "read-only-storage", 1: "storage"})
        pipeline = self.pipeline(layout, COPY.replace("KIND", kind), "copy")
        one, other = (self.buffer(size) for _ in range(2))
        calls = [(pipeline, self.group(layout, dict(enumerate(pair)))) for pair in ((one, other), (other, one))]
        blocks = math.ceil(one.size / {"f32": 4, "vec4f": VEC4}[kind] / 256)
        wide = min(blocks, 32768)
        seconds, count = self.timed(calls, (wide, math.ceil(blocks / wide)))
        for buffer in (one, other):
            buffer.destroy()
        return 2 * one.size / seconds, count


class Flow:
    """A flow from rest, in one form of a stage."""

    def __init__(self, gpu, stage, form, block, size, physics, types):
        self.gpu, self.size, self.code = gpu, size, stage[form] + LOOK
        grids = [gpu.buffer(9 * size * size * stage["width"]) for _ in range(stage["grids"])]
        self.kinds = {0: "read-only-storage", 1: "read-only-storage", 2: "storage"}
        if len(grids) == 2:
            self.kinds |= {2: "read-only-storage", 3: "storage"}
        self.given = {0: gpu.buffer_of(physics), 1: gpu.buffer_of(types)}
        self.orders = [dict(enumerate(order, 2)) for order in (grids, grids[::-1])]
        layout = gpu.layout(self.kinds)
        constants = {"block_x": block[0], "block_y": block[1]}
        steps = [gpu.pipeline(layout, self.code, entry, constants) for entry in stage["kernels"]]
        self.calls = [(steps[n % len(steps)], gpu.group(layout, self.given | self.orders[n])) for n in range(2)]
        self.groups = tuple(math.ceil(size / side) for side in block)

    def moments(self):
        """Density and velocity of all cells, after an even number of steps."""
        seen = self.gpu.buffer(VEC4 * self.size * self.size)
        layout = self.gpu.layout(self.kinds | {LOOK_BINDING: "storage"})
        group = self.gpu.group(layout, self.given | self.orders[0] | {LOOK_BINDING: seen})
        self.gpu.run([(self.gpu.pipeline(layout, self.code, "look"), group)], 1, (math.ceil(self.size / 64), self.size))
        rows = struct.iter_unpack("4f", self.gpu.queue.read_buffer(seen))
        return [(rho, ux, uy) for rho, ux, uy, _ in rows]

    def destroy(self):
        for buffer in [*self.given.values(), *self.orders[0].values()]:
            buffer.destroy()


class Program:
    def __init__(self, build):
        self.build = pathlib.Path(build)

    def says(self, name, *arguments):
        ended = subprocess.run([self.build / name, *arguments], stdout=subprocess.PIPE, check=False)
        if ended.returncode != 0:
            sys.exit(f"measure.py: {name} {' '.join(arguments)} ends with {ended.returncode}")
        return ended.stdout

    def given(self, flow, size):
        """Physics and the type of each cell."""
        data = self.says("webgpu_given", flow, str(size))
        return data[:-size * size], data[-size * size:]

    def moments(self, stage, flow):
        text = self.says("lbm", "run", stage, flow, "--size", str(CHECKED_SIZE), "--tau", "0.8", "--steps",
                         str(CHECKED_STEPS), "--quiet", "--csv", "/dev/stdout").decode()
        rows = csv.DictReader(line for line in text.splitlines() if line[0] != "#")
        return [tuple(float(row[name]) for name in ("rho", "ux", "uy")) for row in rows]

    def commit(self):
        return self.says("lbm", "--version").decode().split("commit ")[1].strip()


def forms_of(gpu, stage):
    """A GPU that lacks 16-bit floats has the packed form alone of a stage that stores them."""
    return [form for form in FORMS if stage[form] and (form == "packed" or gpu.has_halves or not stage["packed"])]


def off(one, other):
    return max(abs(a - b) if math.isfinite(a - b) else math.inf for a, b in zip(one, other))


def check(gpu, program, stages):
    """Returns for each stage and form how far it is off; ends the script if that is too far."""
    given = {flow: program.given(flow, CHECKED_SIZE) for flow in ("cavity", "poiseuille")}
    found = {}
    for name, stage in stages.items():
        for flow, (physics, types) in given.items():
            right = program.moments(name, flow)
            for form in forms_of(gpu, stage):
                run = Flow(gpu, stage, form, (32, 4), CHECKED_SIZE, physics, types)
                gpu.run(run.calls, CHECKED_STEPS, run.groups)
                seen = run.moments()
                run.destroy()
                differences = [off(*cells) for *cells, kind in zip(seen, right, types, strict=True) if kind < WALL]
                worst = max(differences)
                if not worst <= BOUNDS[stage["width"]]:
                    sys.exit(f"measure.py: {name}, {form}: density or velocity of the flow {flow} differs by {worst:.2g} from "
                             f"lbm run after {CHECKED_STEPS} steps; {BOUNDS[stage['width']]:g} is allowed")
                found[name, form] = max(worst, found.get((name, form), 0))
    return found


def shapes(gpu):
    """Shapes of blocks: powers of two, up to what every browser allows."""
    most = min(MOST_THREADS, gpu.limits["max-compute-invocations-per-workgroup"])
    return [(1 << x, threads >> x) for threads in (64, 128, 256) if threads <= most for x in range(3, 9)
            if threads >> x and (1 << x, threads >> x) != BLOCK]


def rows_of(gpu, program, stages, sizes):
    """Yields stage, form, size, block, steps, MLUPS, bytes a second."""
    for size in sizes:
        cells = size * size
        for kind in ("f32", "vec4f"):
            if 36 * cells <= gpu.most_bytes:
                try:
                    speed, count = gpu.copy(36 * cells, kind)
                except wgpu.GPUError as error:
                    print(f"copy at {size}: {str(error).splitlines()[0]}", file=sys.stderr)
                    break
                yield "copy", kind, size, (256, 1), count, None, speed
        physics, types = program.given("poiseuille", size)
        for name, stage in stages.items():
            if 9 * stage["width"] * cells > gpu.most_bytes:
                print(f"{name} at {size}: a grid is larger than what this GPU lets a kernel see", file=sys.stderr)
                continue
            for form in forms_of(gpu, stage):
                for block in [BLOCK] + (shapes(gpu) if size == RANKED and form == "unrolled" else []):
                    try:
                        run = Flow(gpu, stage, form, block, size, physics, types)
                        seconds, count = gpu.timed(run.calls, run.groups)
                    except wgpu.GPUError as error:
                        print(f"{name} at {size}: {str(error).splitlines()[0]}", file=sys.stderr)
                        break
                    run.destroy()
                    yield name, form, size, block, count, cells / seconds / 1e6, stage["bytes"] * cells / seconds


def driver(gpu):
    """NVIDIA's driver has its number as description."""
    return f"{gpu.info['description'] or gpu.info['vendor']}, {gpu.info['backend_type']} by wgpu {wgpu.__version__}"


def main(build, kernels, table, *sizes):
    program = Program(build)
    found = re.match(r"const KERNELS = (.*?);\nconst PHYSICS", pathlib.Path(kernels).read_text(encoding="utf-8"), re.S)
    if not found:
        sys.exit(f"measure.py: {kernels} is not what live/wgsl.py writes")
    stages = json.loads(found[1])
    wanted = [int(size) for size in sizes] or SIZES
    gpu = Gpu()
    differences = check(gpu, program, stages)
    rows = []
    for row in rows_of(gpu, program, stages, wanted):
        name, form, size, block, _, mlups, speed = row
        print(f"{name:13} {form:9} {size:5} {block[0]:4}x{block[1]:<3} {mlups or 0:10.1f} MLUPS {speed / 1e9:8.1f} GB/s",
              flush=True)
        rows.append(row)
    largest = max((size for name, _, size, *_ in rows if name == "copy"), default=None)
    if not largest:
        sys.exit(f"measure.py: no copy fits with the bytes of a grid of {min(wanted)} x {min(wanted)} cells, 36 for each cell: "
                 f"this GPU lets a kernel see {gpu.most_bytes} bytes")
    copies = {form: speed for name, form, size, _, _, _, speed in rows if name == "copy" and size == largest}
    copy = max(copies.values())
    worst = ", ".join(f"{name} {form} {off_by:.1e}" for (name, form), off_by in differences.items())
    with open(table, "w", encoding="utf-8") as out:
        print(f"# command: labs/webgpu/measure.py BUILD KERNELS.js TABLE.csv{''.join(' ' + size for size in sizes)}",
              f"# date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
              f"# commit: {program.commit()}",
              f"# device: {gpu.info['device']}",
              f"# driver: {driver(gpu)}",
              f"# copy: {copy / 1e9:.6g} GB/s read and written, as "
              + ", as ".join(f"{form} {speed / 1e9:.6g}" for form, speed in copies.items())
              + f", with the bytes of a grid of {largest} x {largest} cells",
              "# flow: poiseuille at tau 0.8, N x N cells",
              f"# repeats: the fastest of {REPEATS} of at least {ENOUGH:g} s or {MOST_CALLS} steps, by the clock of the GPU",
              f"# largest difference of density and velocity from lbm run after {CHECKED_STEPS} steps of cavity and "
              f"poiseuille, {CHECKED_SIZE} x {CHECKED_SIZE} cells: {worst}",
              "# forms: unrolled and loops: the loops over directions; packed: two 16-bit numbers in a word, by atomicXor",
              "stage,form,size,block_x,block_y,steps,mlups,gbs,copy_percent", sep="\n", file=out)
        for name, form, size, block, count, mlups, speed in rows:
            print(name, form, size, *block, count, f"{mlups:.6g}" if mlups else "", f"{speed / 1e9:.6g}",
                  f"{100 * speed / copy:.4g}", sep=",", file=out)


if __name__ == "__main__":
    if len(sys.argv) < 4 or not all(size.isdigit() and int(size) >= 8 for size in sys.argv[4:]):
        sys.exit("usage: measure.py BUILD KERNELS.js TABLE.csv [SIZE...]: sizes from 8 on")
    try:
        main(*sys.argv[1:])
    except OSError as failure:
        sys.exit(f"measure.py: {failure}")
