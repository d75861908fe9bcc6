"""Usage: live_gpu.py LBM PAGE. The page gpu.html in Chromium, from a file, on its adapter in software: the stages
compute what the program LBM computes; all speeds follow from clocks that the test sets; each stage waits for its
prediction; what is missing or too large is one line, and the rest of the page goes on; the page fits on a phone.
"""

import base64
import json
import os
import re
import struct
import sys
import tempfile

import browser
from live_pages import check, choose, lbm, text_of, wait_for

MOST_BYTES = 400000
SIZE, STEPS, TAU = 64, 400, 0.8
STAGES = ("01_naive_gpu", "02_soa", "03_aa", "04_aa_fp16s")
EX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
WEIGHTS = (4 / 9, *4 * (1 / 9,), *4 * (1 / 36,))
# Populations of 1/32 and more, as beside the lid, are multiples of 2^-15 in 16 bits. Chromium's adapter rounds twice on
# the way to a subnormal half, 2.5001 units to 2.5 and then to 2, and later roundings may then go the other way too.
MOST_APART = 2 * 2**-15

COMPUTE = """(async () => {{
    const scenario = gpu.channel({size}), given = {given}, types = atob('{types}');
    for (const [name, values] of Object.entries(given))
        values.forEach((value, n) => scenario.physics.setFloat32(4 * (PHYSICS[name][0] + n), value, true));
    if (types)
        scenario.types = Uint8Array.from(types, letter => letter.charCodeAt(0));
    const flow = await webgpu.Flow.begin('{stage}', '{form}', [32, 8], scenario);
    await flow.advance({steps});
    const f = new Uint8Array((await flow.read()).buffer);
    flow.destroy();
    return btoa(f.reduce((text, byte) => text + String.fromCharCode(byte), ''));
}})()"""

MEASURED = 128  # cells of a side
COPIES = {"f32": 0.25, "vec4f": 0.5}  # GB/s, by threads that read and write 8 and 32 bytes
SPEEDS = {"01_naive_gpu unrolled": 1.11, "02_soa unrolled": 3.32, "03_aa unrolled": 4.44, "04_aa_fp16s packed": 2.22,
          "01_naive_gpu loops": 0.88, "02_soa loops": 1.77, "03_aa loops": 1.55}  # MLUPS
SHAPES = {(8, 8): 1.5, (16, 4): 1.25, (32, 2): 2.0, (64, 1): 0.75}  # times as fast as the others
BYTES = dict(zip(STAGES, (73, 73, 73, 37)))

# Clocks by which kernels have the speeds above. A pass of less than 20 ms takes longer, as all passes but one of five
# do, and on one of five the GPU's clock runs back. Until the page hears of its end, a pass takes 5 ms more.
CLOCK = """(() => {{
    const speeds = {speeds}, shapes = {shapes}, delays = [1.3, 1.5, 1, 1.2, 1.4];
    const codes = new Map(), seconds = new Map(); // of a shader: stage and form; of a pipeline: a block takes so many
    let now = 0, passes = 0, block = 0, pass = 0, shown = 0;
    const after = (type, name, then) => {{
        const old = type.prototype[name];
        type.prototype[name] = function (...given) {{ return then(old.apply(this, given), ...given); }};
    }};
    const kernels = Object.entries(KERNELS).flatMap(([name, stage]) => ["unrolled", "loops", "packed"].filter(
        form => stage[form]).map(form => [`${{name}} ${{form}}`, stage[form]]));
    after(GPUDevice, "createShaderModule", (module, {{code}}) => {{
        codes.set(module, kernels.find(([, kernel]) => code.startsWith(kernel))?.[0] ?? code.match(/array<(\\w+)>/)[1]);
        return module;
    }});
    after(GPUDevice, "createComputePipelineAsync", async (made, {{compute: {{module, constants = {{}}}}}}) => {{
        const pipeline = await made, {{block_x: x = 256, block_y: y = 1}} = constants;
        seconds.set(pipeline, x * y / (1e6 * speeds[codes.get(module)] * (shapes[`${{x}} ${{y}}`] ?? 1)));
        return pipeline;
    }});
    after(GPUComputePassEncoder, "setPipeline", (_, pipeline) => block = seconds.get(pipeline));
    after(GPUComputePassEncoder, "dispatchWorkgroups", (_, x, y) => pass += block * x * y);
    after(GPUQueue, "onSubmittedWorkDone", async done => {{
        await done;
        const took = pass * delays[passes++ % 5] * (pass < 0.02 ? 1.5 : 1);
        shown = passes % 5 === 1 ? -took : took;
        now += 1000 * took + 5;
        pass = 0;
    }});
    const clock = () => [9e15, 9e15 + Math.round(1e9 * shown)];
    GPUBuffer.prototype.getMappedRange = () => new BigInt64Array(clock().map(BigInt)).buffer;
    performance.now = () => now;
}})()"""
NO_CLOCK = """{
    const old = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = function (wanted) {
        const requiredFeatures = wanted.requiredFeatures.filter(name => name !== "timestamp-query");
        return old.call(this, {...wanted, requiredFeatures});
    };
}"""


def state_of(program, folder, *arguments):
    """Types and populations [cell][9] that the program writes."""
    out = folder + "/state.vti"
    lbm(program, "run", *arguments, "--quiet", "--checkpoint", out)
    with open(out, "rb") as file:
        data = file.read()
    begin = data.index(b"_", data.index(b"<AppendedData")) + 1

    def array(name):
        at = begin + int(re.search(rb'Name="%s"[^>]* offset="(\d+)"' % name, data)[1])
        size = struct.unpack_from("<Q", data, at)[0]
        return data[at + 8:at + 8 + size]

    return array(b"type"), array(b"populations")


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def check_bits(chromium, program, folder):
    """The channel is the page's own; the cavity, whose lid moves, gets the program's numbers."""
    lid = {"omega": [1 / TAU], "force_x": [0.0], "wall_gain": [-6 * single(w) * ex * 0.1 for w, ex in zip(WEIGHTS, EX)]}
    for flow, given in ("poiseuille", {}), ("cavity", lid):
        for stage in STAGES:
            types, native = state_of(program, folder, stage, flow, "--size", f"{SIZE}x{SIZE}", "--tau", str(TAU),
                                     "--steps", str(STEPS))
            right = [f for (f,) in struct.iter_unpack("f", native)]
            check(max(right) > 1e-4, f"{flow}: nothing moves")
            for form in ("unrolled", "loops") if stage != STAGES[3] else ("unrolled",):
                said = chromium.run(COMPUTE.format(
                    size=SIZE, steps=STEPS, stage=stage, form=form, given=json.dumps(given),
                    types=base64.b64encode(types).decode() if given else ""))
                here = [f for (f,) in struct.iter_unpack("f", base64.b64decode(said))]
                apart = max(abs(a - b) for a, b in zip(here, right, strict=True))
                most = MOST_APART if stage == STAGES[3] else 0.0
                check(apart <= most, f"{stage}, {form}, {flow}: {apart} away from the program's populations")


def press(chromium, name):
    chromium.run(f"document.getElementById('{name}').click()")
    wait_for(chromium, "!document.getElementById('controls').disabled")


def shown(chromium):
    """The stages that the table names, and how often it names the GPU in the reference tables."""
    table = text_of(chromium, "table")
    return [name for name in STAGES if name in table], table.count("H200, CUDA")


def predict(chromium, factor):
    chromium.run(f"document.getElementById('factor').value = {factor}")
    press(chromium, "measure")


def check_steps(chromium):
    """The copy comes first; then each prediction shows one stage more, and names the next."""
    choose(chromium, "size", MEASURED)
    check(shown(chromium) == ([*STAGES[:2]], 0), f"before any measurement the page shows {shown(chromium)}")
    press(chromium, "measure")
    check("\n# copy: 0.5 GB/s by vec4f, 0.25 by f32, of as many bytes as a grid of 128 x 128 cells has\n"
          in text_of(chromium, "text"), f"the text lacks the copy: {text_of(chromium, 'text')}")
    check("moves 0.5 GB/s" in text_of(chromium, "copied"), f"of the copy: {text_of(chromium, 'copied')}")
    check(not rows_of(chromium), "the copy isn't all that is measured first")
    press(chromium, "measure")
    check(not rows_of(chromium), "the page measures a stage before a prediction")
    for n, names in enumerate((STAGES[:3], STAGES, STAGES)):
        predict(chromium, n + 1.25)
        check(shown(chromium) == ([*names], n + 2), f"after prediction {n + 1} the page shows {shown(chromium)}")
        check(f"{n + 1.25:.2f}" in text_of(chromium, "table"), "the table lacks the prediction")
        listed = chromium.run("[...document.getElementById('block_stage').options].map(option => option.value)")
        check(listed == [*STAGES[:n + 2]], f"after prediction {n + 1} the ranking offers {listed}")


def rows_of(chromium):
    return [line.split(",") for line in text_of(chromium, "text").splitlines() if not line.startswith("#")][1:]


def number(value):
    return f"{float(f'{value:.3g}'):g}"


def expect(what, found, expected):
    check(found == expected, f"{what}: expected {expected}, found {found}")


def cells_of(chromium, table):
    """The lines of a table, without the names of the stages."""
    return chromium.run(f"[...document.querySelectorAll('#{table} tr')].filter(row => row.cells.length > 1).slice(1)"
                        ".map(row => [...row.cells].map(cell => cell.textContent))")


def speed_of(name, form, size=MEASURED, block=(128, 1)):
    return SPEEDS[f"{name} {form}"] * SHAPES.get(block, 1.0) * min(1.0, size / block[0])  # half of a block has no cells


def form_of(name):
    return "packed" if name == STAGES[3] else "unrolled"


def check_speeds(chromium):
    """All numbers of the tables follow from the clock and from the tables of record, and all rows of the text."""
    records = chromium.run("RECORDS")
    sources = [("here", 1e9 * COPIES["vec4f"], lambda name: speed_of(name, form_of(name))),
               ("H200, CUDA", records["copies"]["CUDA"], lambda name: records["cuda"][name][str(MEASURED)]),
               ("H200, WebGPU", records["copies"]["WebGPU"],
                lambda name: records["webgpu"][form_of(name)][name][str(MEASURED)])]
    lines = []
    for n, name in enumerate(STAGES):
        lines += [["you predicted", "", "", f"{n + 0.25:.2f}"]] if n else []
        for source, copy, speed in sources:
            ratio = f"{speed(name) / speed(STAGES[n - 1]):.2f}" if n else ""
            lines.append([source, number(speed(name)), f"{100 * speed(name) * 1e6 * BYTES[name] / copy:.0f}%", ratio])
    expect("table", cells_of(chromium, "table"), lines)
    expect("sweep", cells_of(chromium, "sweep_table"),
           [[str(size), *(number(speed_of(name, form_of(name), size)) for name in STAGES),
             number(size * size / speed_of(STAGES[0], "unrolled", size))] for size in (64, 128)])
    ranked = [(block, speed_of(STAGES[1], "unrolled", block=block)) for block in sorted(SHAPES, key=SHAPES.get)[::-1]]
    expect("ranking", chromium.run("[...document.querySelectorAll('#shapes > *')].map(part => part.textContent)"),
           ["02_soa, 128 x 128 cells",
            *(text for (x, y), speed in ranked for text in (f"{x} x {y}", "", f"{number(speed)} MLUPS"))])
    pairs = [(source, speed("unrolled", name), speed("loops", name)) for name in STAGES[:3] for source, speed in (
        ("here", lambda form, name: speed_of(name, form)),
        ("H200, WebGPU", lambda form, name: records["webgpu"][form][name][str(MEASURED)]))]
    expect("loops", cells_of(chromium, "loops_table"),
           [[source, number(one), number(other), f"{other / one:.2f}"] for source, one, other in pairs])
    rows = [*((name, form_of(name), size, (128, 1)) for size in (MEASURED, 64) for name in STAGES),
            *((STAGES[1], "unrolled", MEASURED, block) for block in SHAPES),
            *((name, "loops", MEASURED, (128, 1)) for name in STAGES[:3])]
    expect("text", rows_of(chromium), [
        [name, form, str(size), *map(str, block), number(speed), number(speed * BYTES[name] / 1e3)]
        for name, form, size, block in rows for speed in [speed_of(name, form, size, block)]])


def check_measuring(chromium):
    threads = {**SPEEDS, "f32": 1e3 * COPIES["f32"] / 8, "vec4f": 1e3 * COPIES["vec4f"] / 32}  # 1e6 a second
    shapes = {f"{x} {y}": times for (x, y), times in SHAPES.items()}
    chromium.run(CLOCK.format(speeds=json.dumps(threads), shapes=json.dumps(shapes)))
    check_steps(chromium)
    check("say nothing" in text_of(chromium, "gpu_name"), "a software adapter isn't named")
    most = chromium.run("gpu.about.limits.maxStorageBufferBindingSize") // 2**20
    told = chromium.run("document.getElementById('about').textContent")
    check(f"arrays of {most} MiB" in told, f"not {most} MiB: {told}")
    said = chromium.run("gpu.allow(512).then(() => 'allowed', error => error.message)")
    check("on 512 x 512 a step of 01_naive_gpu would take" in said, f"512 x 512 cells: {said}")
    chromium.run("webgpu.fits = (name, cells) => cells <= 128 * 128; webgpu.takes = ([x, y]) => x * y === 64 && x > 4")
    choose(chromium, "block_stage", STAGES[1])
    for name in "sweep", "rank", "loops":
        press(chromium, name)
    check("256 x 256 cells: 01_naive_gpu needs " in text_of(chromium, "charts"), text_of(chromium, "charts"))
    check(chromium.run("document.querySelectorAll('#charts svg').length") == 2, "the sweep has no plots")
    check("04_aa_fp16s is missing" in text_of(chromium, "loops_table"), "stage 04 is missing without a word")
    check_speeds(chromium)
    check(re.search("^# device: .*software", text_of(chromium, "text"), re.M), "the text doesn't name the software")
    copied = chromium.run("navigator.clipboard.writeText = async text => { window.copied = text }; "
                          "document.getElementById('copy').click(), window.copied")
    expect("Copy", copied, chromium.run("document.getElementById('text').textContent"))
    choose(chromium, "block_stage", STAGES[0])
    check(text_of(chromium, "shapes") == "", "the shapes of one stage stand below another one's name")


def check_lost(chromium):
    """Without the GPU's clock, the passes of a lost GPU seem to end."""
    chromium.run("document.getElementById('rank').click(); webgpu.device().destroy()")
    rows = rows_of(chromium)
    wait_for(chromium, "!document.getElementById('controls').disabled")
    expect("a lost GPU", rows_of(chromium), rows)


def check_stop(chromium):
    """A button answers while the page measures: it is off, and Stop ends the measurement."""
    chromium.run("document.getElementById('rank').click(); document.getElementById('stop').click()")
    wait_for(chromium, "!document.getElementById('controls').disabled")
    check("You stopped" in text_of(chromium, "error"), f"stopped: {text_of(chromium, 'error')}")
    check(chromium.run("document.getElementById('error').previousElementSibling.contains("
                       "document.getElementById('rank'))"), "the error isn't below its button")


def check_phone(chromium):
    chromium.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    wide = chromium.run("document.documentElement.scrollWidth")
    check(wide <= 390, f"the page is {wide} pixels wide on a phone of 390")
    chromium.send("Emulation.clearDeviceMetricsOverride")


def check_line(chromium, expected):
    wait_for(chromium, "!document.getElementById('error').hidden")
    said = text_of(chromium, "error")
    check(expected in said and "\n" not in said, f"not the line with \"{expected}\": {said}")
    choose(chromium, "code", STAGES[3])
    check("even_step" in text_of(chromium, "pairs"), f"the page doesn't go on after: {said}")


def check_refusals(chromium, page):
    said = chromium.run("gpu.allow(65536).then(() => 'allowed', error => error.message)")
    check("65536 x 65536 cells: 01_naive_gpu needs " in said and "\n" not in said, said)
    chromium.run("webgpu.device().destroy()")
    check_line(chromium, "The GPU was lost: ")
    for script, expected in (("Object.defineProperty(Navigator.prototype, 'gpu', {value: undefined})", "has no WebGPU"),
                             ("Object.defineProperty(window, 'isSecureContext', {value: false})", "from https"),
                             ("GPU.prototype.requestAdapter = async () => null", "gives this page no GPU")):
        number = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        chromium.go(page)
        check_line(chromium, expected)
        predict(chromium, 3)
        check(shown(chromium) == ([*STAGES[:3]], 2), f"without a GPU the page shows {shown(chromium)}")
        check(not chromium.run("document.getElementById('error').hidden"), f"after a click the page hides: {expected}")
        chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


def main(program, path):
    size, page = os.path.getsize(path), f"file://{os.path.abspath(path)}"
    check(size < MOST_BYTES, f"{path} has {size} bytes; it may have {MOST_BYTES}")
    with browser.started() as chromium, tempfile.TemporaryDirectory() as folder:
        chromium.go(page)
        wait_for(chromium, "window.gpu !== undefined")
        if text_of(chromium, "error"):
            print(f"skipped: {text_of(chromium, 'error')}")
            sys.exit(77)
        check_bits(chromium, program, folder)
        check_measuring(chromium)
        check_phone(chromium)
        check(text_of(chromium, "error") == "", text_of(chromium, "error"))
        check_stop(chromium)
        fetched = chromium.run("performance.getEntriesByType('resource').map(entry => entry.name).join()")
        check(fetched == "", f"the page fetches {fetched}")
        no_clock = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=NO_CLOCK)["identifier"]
        chromium.go(page)
        wait_for(chromium, "window.gpu !== undefined")
        check_measuring(chromium)
        check("differences of passes" in text_of(chromium, "text"), "the text doesn't name the clock of the page")
        check_lost(chromium)
        chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=no_clock)
        check_refusals(chromium, page)
    print("the page works")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: live_gpu.py LBM PAGE")
    main(*sys.argv[1:])
