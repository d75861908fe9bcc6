"""Usage: live_gpu.py LBM PAGE. The page gpu.html in Chromium, from a file, on its adapter in software: the stages
compute what the program LBM computes; the table waits for the prediction; what is missing or too large is one line, and
the rest of the page goes on; the page fits on a phone.
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
    wait_for(chromium, "document.getElementById('busy').hidden")


def predict(chromium, count):
    fields = f"[...document.querySelectorAll('#factors input')].slice(0, {count})"
    chromium.run(f"{fields}.forEach(field => field.value = 1.5);"
                 "document.querySelector('#predict button').click()")


def check_measuring(chromium):
    hidden = "document.getElementById('measuring').hidden"
    predict(chromium, 2)
    check(chromium.run(hidden), "the page measures before all factors are predicted")
    predict(chromium, 3)
    check(not chromium.run(hidden), "the page doesn't measure after the prediction")
    check(text_of(chromium, "table") == "", "the table is there before the measurement")
    choose(chromium, "size", SIZE)
    press(chromium, "measure")
    check(text_of(chromium, "table").count("1.50") == 3, "the table lacks the predictions")
    check("judge no" in text_of(chromium, "verdict"), "a software adapter judges predictions")
    chromium.run("webgpu.fits = (name, cells) => cells <= 128 * 128; webgpu.takes = ([x, y]) => x * y === 32 && x > 8")
    for name in "sweep", "rank", "loops":
        press(chromium, name)
    check("256 x 256 cells: 01_naive_gpu needs " in text_of(chromium, "charts"), text_of(chromium, "charts"))
    check(chromium.run("document.querySelectorAll('#charts svg').length") == 2, "the sweep has no plots")
    check(chromium.run("document.querySelectorAll('#shapes i').length") == 2, "the ranking lacks shapes")
    rows = [line.split(",") for line in text_of(chromium, "text").splitlines() if not line.startswith("#")]
    check(sorted(row[0] for row in rows if row[1] != "loops" and row[2:5] == [str(SIZE), "128", "1"]) == list(STAGES),
          f"the text lacks a stage: {rows}")
    check(all(float(row[5]) > 0.0 for row in rows[1:]), f"a speed that is none: {rows}")
    check([row[0] for row in rows if row[1] == "loops"] == list(STAGES[:3]), "the text lacks stages with loops")
    check(re.search("^# device: .*software", text_of(chromium, "text"), re.M), "the text doesn't name the software")


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
        check("H200" in text_of(chromium, "table"), "without a GPU there is no table of record")
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
        fetched = chromium.run("performance.getEntriesByType('resource').map(entry => entry.name).join()")
        check(fetched == "", f"the page fetches {fetched}")
        check_refusals(chromium, page)
    print("the page works")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: live_gpu.py LBM PAGE")
    main(*sys.argv[1:])
