"""Usage: live_gpu.py LBM PAGE. The page gpu.html in Chromium, from a file, on its adapter in software: the stages
compute what the program LBM computes; each stage waits for its prediction; what is missing or too large is one line,
and the rest of the page goes on; the page fits on a phone.
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
    choose(chromium, "size", SIZE)
    check(shown(chromium) == ([*STAGES[:2]], 0), f"before any measurement the page shows {shown(chromium)}")
    press(chromium, "measure")
    check(re.search("^# copy: ", text_of(chromium, "text"), re.M), "the text lacks the copy")
    check("GB/s" in text_of(chromium, "copied") and not rows_of(chromium), "the copy isn't all that is measured first")
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


def check_measuring(chromium):
    check_steps(chromium)
    check("say nothing" in text_of(chromium, "gpu_name"), "a software adapter isn't named")
    chromium.run("webgpu.fits = (name, cells) => cells <= 128 * 128; webgpu.takes = ([x, y]) => x * y === 32 && x > 8")
    for name in "sweep", "rank", "loops":
        press(chromium, name)
    check("256 x 256 cells: 01_naive_gpu needs " in text_of(chromium, "charts"), text_of(chromium, "charts"))
    check(chromium.run("document.querySelectorAll('#charts svg').length") == 2, "the sweep has no plots")
    check(chromium.run("document.querySelectorAll('#shapes i').length") == 2, "the ranking lacks shapes")
    check("04_aa_fp16s is missing" in text_of(chromium, "loops_table"), "stage 04 is missing without a word")
    rows = rows_of(chromium)
    check(sorted(row[0] for row in rows if row[1] != "loops" and row[2:5] == [str(SIZE), "128", "1"]) == list(STAGES),
          f"the text lacks a stage: {rows}")
    check(all(float(row[5]) > 0.0 for row in rows), f"a speed that is none: {rows}")
    check([row[0] for row in rows if row[1] == "loops"] == list(STAGES[:3]), "the text lacks stages with loops")
    check(re.search("^# device: .*software", text_of(chromium, "text"), re.M), "the text doesn't name the software")
    choose(chromium, "block_stage", STAGES[0])
    check(text_of(chromium, "shapes") == "", "the shapes of one stage stand below another one's name")


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
        check_refusals(chromium, page)
    print("the page works")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: live_gpu.py LBM PAGE")
    main(*sys.argv[1:])
