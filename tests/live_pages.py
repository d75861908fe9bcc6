"""Usage: live_pages.py LBM PAGES. The pages flow.html and memory.html of PAGES in Chromium, from files: what the page
computes, here and on a GPU (a software adapter), is what the program LBM computes, bit for bit where the stages agree;
bodies are drawn with a mouse, a finger and the keys, and change the drag; a switch of stages has its prediction; the GPU
draws the program's colours; what a browser lacks is one line; the second page shows what `LBM traffic` draws.
"""

import base64
import csv
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import browser

MOST_BYTES = 1500000
STAGES = ("00_cpu_aos", "10_cpu_vectors", "12_cpu_pairs")
READY = "window.live !== undefined && !document.getElementById('gpu').hidden"
GPU_STAGES = ("01_naive_gpu", "02_soa", "03_aa", "04_aa_fp16s")


def check(right, message):
    if not right:
        sys.exit(f"wrong: {message}")


def lbm(program, *arguments):
    ended = subprocess.run([program, *arguments], capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"lbm {' '.join(arguments)}: {ended.stderr.strip()}")


def packed(drho, ux, uy):
    return struct.pack("3f", 1 + drho, ux, uy)


def moments_of(program, folder, *arguments):
    """Density and velocity of each cell after a run."""
    out = folder + "/flow.csv"
    lbm(program, "run", *arguments, "--quiet", "--csv", out)
    with open(out, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [packed(float(row["rho"]) - 1, float(row["ux"]), float(row["uy"])) for row in rows]


BEGIN = """live.pause(true); const p = live.program;
p.ccall('begin_flow', null, ['string', 'number', 'number', 'number', 'number'], ['{}', {}, {}, {}, {}]);"""
ON_GPU = """const flow = await live.createOnGpu('{}'); await flow.advance(200); live.take(await flow.read()); flow.destroy();"""
MOMENTS = """p._look(); let all = p.HEAPU8.subarray(p._all_moments(), p._all_moments() + 16 * {} * {}), text = '';
for (let n = 0; n < all.length; n++) text += String.fromCharCode(all[n]); return btoa(text);"""
SOLID = """(() => {{ const p = live.program; return p.HEAPU8.subarray(p._all_types(), p._all_types() + {} * {})
.filter(type => type === 6).length; }})()"""
MASK = "Array.from(p.HEAPU8.subarray(p._all_types(), p._all_types() + {} * {}), type => type === 6 ? 0 : 255)"


def moments_now(chromium, width, height, script="const p = live.program;"):
    said = chromium.run("(async () => {" + script + MOMENTS.format(width, height) + "})()")
    return [packed(*cell[:3]) for cell in struct.iter_unpack("4f", base64.b64decode(said))]


def moments_in(chromium, flow, width, height, re, stage, script):
    return moments_now(chromium, width, height, BEGIN.format(flow, width, height, re, stage) + script)


def apart(one, other):
    """The largest difference of two states; infinity if one is not finite."""
    if one == other:
        return 0.0
    numbers = (struct.iter_unpack("f", b"".join(state)) for state in (one, other))
    differences = [abs(a - b) for (a,), (b,) in zip(*numbers)]
    return max(difference if difference == difference else float("inf") for difference in differences)


def check_flows(chromium, program, folder):
    """The stages that agree bit for bit do so here, also as shaders on a software adapter. 12 may round otherwise, as its
    native code fuses operations; and 04, as the adapter rounds twice on the way to a subnormal half."""
    for flow, width, height, re in ("cylinder", 96, 48, 60), ("cavity", 50, 50, 100), ("taylor_green", 48, 32, 50):
        arguments = (flow, "--size", f"{width}x{height}", "--re", str(re), "--steps", "201")
        native = moments_of(program, folder, STAGES[0], *arguments)
        for n, stage in enumerate(STAGES):
            here = moments_in(chromium, flow, width, height, re, n, "p._advance(201);")
            most = 0.0 if n < 2 else 1e-5
            check(len(here) == len(native) and apart(here, native) <= most,
                  f"{stage}, {flow}: {apart(here, native)} away from the program's flow")
        switch = "p._advance(100); p._set_stage(1); p._advance(101);"
        switched = moments_in(chromium, flow, width, height, re, 0, switch)
        check(apart(switched, native) == 0.0, f"{flow}: a switch between 00 and 10 changes the flow")
        check(apart(here, moments_in(chromium, flow, width, height, re, 2, "p._advance(200);")) > 0.0, "nothing moves")
        arguments = (*arguments[:-1], "200")
        native = {stage: moments_of(program, folder, stage, *arguments) for stage in (STAGES[0], GPU_STAGES[3])}
        for stage in GPU_STAGES:
            here = moments_in(chromium, flow, width, height, re, -1, ON_GPU.format(stage))
            far = apart(here, native.get(stage, native[STAGES[0]]))
            most = 2 * 2**-15 if stage == GPU_STAGES[3] else 0.0  # units of populations from 1/32 on, in 16 bits
            check(far <= most, f"{stage} on the GPU, {flow}: {far} away from the program's flow")


def write_mask(path, pixels, width, height):
    """A grey PNG, one pixel a cell; the first row of a PNG is the upper one."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(pixels[y * width:(y + 1) * width]) for y in reversed(range(height)))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def check_drawn(chromium, program, folder):
    """A drawn body is the program's mask, and the force on it the program's."""
    draw = "p._draw_disc(48, 24, 99, 0); p._draw_disc(30, 20, 4, 1); p._draw_disc(33, 28, 5, 1); p._end_drawing();"
    here = moments_in(chromium, "bodies", 96, 48, 40, 0, draw + "p._restart(); p._advance(200);")
    re, tau, drag = (chromium.run(f"live.program._{name}()") for name in ("re", "tau", "drag"))
    mask, forces = folder + "/mask.png", folder + "/forces.csv"
    write_mask(mask, chromium.run("{const p = live.program; " + MASK.format(96, 48) + "}"), 96, 48)
    said = subprocess.run([program, "run", STAGES[0], "bodies", "--mask", mask, "--steps", "0", "--quiet"],
                          capture_output=True, text=True)
    if "lacks libpng" in said.stderr:
        print("the drawn body was not compared with a mask: the program was built without libpng")
        return
    native = moments_of(program, folder, STAGES[0], "bodies", "--mask", mask, "--tau", repr(tau), "--steps", "200",
                        "--forces", forces, "--sample", "200")
    check(apart(here, native) == 0.0, f"a drawn body: {apart(here, native)} away from the program's flow with its mask")
    with open(forces, encoding="utf-8") as file:
        last = list(csv.DictReader(line for line in file if not line.startswith("#")))[-1]
    check(abs(float(last["drag"]) - drag) <= 1e-6 * abs(drag), f"drag {drag}, and {last['drag']} in the program")
    check(abs(re - 40 * 18 / 4.8) < 1e-6, f"Re {re}: the discs touch and are 18 cells high, the flow's own body 4.8")


def choose(chromium, name, value):
    chromium.run(f"document.getElementById('{name}').value = '{value}';"
                 f"document.getElementById('{name}').dispatchEvent(new Event('change', {{bubbles: true}}))")


def wait_for(chromium, condition, seconds=60):
    end = time.monotonic() + seconds
    while not chromium.run(condition):
        check(time.monotonic() < end, f"not within {seconds} seconds: {condition}")
        time.sleep(0.1)


def text_of(chromium, name):
    return chromium.run(f"document.getElementById('{name}').innerText")


def middle_of(chromium):
    return chromium.run("(() => { const box = document.getElementById('view').getBoundingClientRect();"
                        "return [box.left + 0.5 * box.width, box.top + 0.5 * box.height]; })()")


def check_bodies(chromium):
    """Mouse, keys: each adds cells, and the force changes; the other brush takes them away."""
    count = SOLID.format(128, 64)
    choose(chromium, "name", 0)
    choose(chromium, "size", 0)
    chromium.run("live.pause(true)")
    chromium.run("document.getElementById('view').scrollIntoView({block: 'center'})")
    x, y = middle_of(chromium)
    before, drag = chromium.run(count), chromium.run("live.program._drag()")
    check(before > 0, "the cylinder is not there")
    for kind, dx in ("mousePressed", 0), ("mouseMoved", 30), ("mouseReleased", 30):
        chromium.send("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y, button="left", buttons=1, clickCount=1)
    wait_for(chromium, f"{count} > {before}")
    chromium.run("document.getElementById('one').click()")
    check(chromium.run("live.program._drag()") != drag, "a drawn body does not change the drag")
    check("Re is now " in text_of(chromium, "verdict"), "a stroke changes Re without a word")
    drawn = chromium.run(count)
    chromium.run("document.getElementById('view').focus()")
    for _ in range(6):
        chromium.press("ArrowUp", 38)
    chromium.press("Enter", 13, "\r")
    wait_for(chromium, f"{count} > {drawn}")
    choose(chromium, "brush", 0)
    drawn = chromium.run(count)
    chromium.press("Enter", 13, "\r")
    wait_for(chromium, f"{count} < {drawn}")
    chromium.run("document.getElementById('reset').click()")
    check(chromium.run(count) == before, "Reset leaves bodies behind")
    choose(chromium, "brush", 1)


def click(chromium, name):
    chromium.run(f"document.getElementById('{name}').click()")


def move_to(chromium, stage):
    chromium.run(f"live.moveTo({stage})")
    on_gpu = str(stage >= len(STAGES)).lower()
    wait_for(chromium, f"document.getElementById('flow').hidden === {on_gpu}")


def stir(chromium, stage):
    """The moments of 128 x 64 cells after 4 steps, a body, 4 steps, a hole in this body and its neighbours, 4 steps."""
    move_to(chromium, stage)
    click(chromium, "reset")
    move_to(chromium, stage)
    chromium.run("document.getElementById('view').dispatchEvent(new Event('pointerleave'))")  # brush back to the middle
    for brush, radius in (None, 0), (1, 1), (0, 5):
        if brush is not None:
            choose(chromium, "brush", brush)
            choose(chromium, "radius", radius)
            before = chromium.run(SOLID.format(128, 64))
            chromium.run("document.getElementById('view').focus()")
            for _ in range(9 * brush):
                chromium.press("ArrowLeft", 37)
            chromium.press("Enter", 13, "\r")
            wait_for(chromium, f"{SOLID.format(128, 64)} !== {before}")
            chromium.run("document.activeElement.blur()")
        make_steps(chromium, 4)
    move_to(chromium, 0)
    return moments_now(chromium, 128, 64)


def make_steps(chromium, count):
    end = chromium.run("live.program._step()") + count
    while (now := chromium.run("live.program._step()")) < end:
        click(chromium, "one")
        wait_for(chromium, f"live.program._step() > {now}")


def begin_again(chromium, stage):
    """The moments of 4 steps from the beginning, at a Reynolds number that changed on the way."""
    move_to(chromium, stage)
    click(chromium, "reset")
    move_to(chromium, stage)
    make_steps(chromium, 4)
    choose(chromium, "re", 30)
    wait_for(chromium, "Math.abs(live.program._re() - 30) < 0.1")
    make_steps(chromium, 4)
    click(chromium, "restart")
    wait_for(chromium, "live.program._step() === 0")
    make_steps(chromium, 4)
    move_to(chromium, 0)
    return moments_now(chromium, 128, 64)


PIXELS = """(() => {{
    const p = live.program, canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [{0}, {1}];
    const context = canvas.getContext('2d'), pixels = p._paint({2});
    live.paint();
    context.drawImage(document.getElementById('flow_on_gpu'), 0, 0);
    const drawn = context.getImageData(0, 0, {0}, {1}).data, own = p.HEAPU8.subarray(pixels, pixels + 4 * {0} * {1});
    return [drawn.filter((byte, n) => byte !== own[n]).length / own.length, new Set(new Uint32Array(drawn.buffer)).size];
}})()"""


def check_gpu(chromium):
    """The flow is handed over and back, stirred there as here, and its colours on the GPU are the program's."""
    choose(chromium, "name", 1)
    choose(chromium, "size", 0)
    chromium.run("live.pause(true)")
    here = stir(chromium, 0)
    for stage in 3, 5:
        there = stir(chromium, stage)
        check(apart(here, there) == 0.0, f"{GPU_STAGES[stage - 3]}, stirred: {apart(here, there)} away from {STAGES[0]}")
    here, there = (begin_again(chromium, stage) for stage in (0, 4))
    check(apart(here, there) == 0.0, f"{GPU_STAGES[1]}, after Re and Restart: {apart(here, there)} away from {STAGES[0]}")
    for flow, size in (0, (128, 64)), (2, (66, 66)):
        choose(chromium, "name", flow)
        choose(chromium, "size", 0)
        chromium.run("live.program._advance(300); live.program._look()")
        for stage in 4, 6:
            move_to(chromium, stage)
            for field in 0, 1:
                choose(chromium, "field", field)
                differ, colours = chromium.run(PIXELS.format(*size, field))
                most = 0.01 if stage == 6 else 0.001  # 16 bits round the populations: some colours are the next ones
                check(differ <= most and colours > 50, f"{GPU_STAGES[stage - 3]} draws {colours} colours, and {differ:.1%} of "
                      "the picture is not the program's")
            move_to(chromium, 0)


def check_gpu_runs(chromium):
    """It runs, is measured, and gives no verdict on a software adapter; without its device the flow goes on."""
    choose(chromium, "name", 0)
    choose(chromium, "size", 0)
    choose(chromium, "stage", 5)
    chromium.run("document.getElementById('factor').value = 2; document.getElementById('predict').requestSubmit()")
    choose(chromium, "pace", "Infinity")
    chromium.run("live.pause(false)")
    wait_for(chromium, "/says nothing/.test(document.getElementById('verdict').innerText)")
    speeds = text_of(chromium, "speeds")
    check("a software adapter" in speeds and "packed" in speeds, f"a software adapter or packed is not named: {speeds}")
    check(chromium.run("live.program._step() % 2") == 0, "an odd number of steps on the GPU")
    print(f"{GPU_STAGES[2]} on a software adapter: {text_of(chromium, 'mlups')} MLUPS")
    drag = text_of(chromium, "drag")
    wait_for(chromium, f"document.getElementById('drag').innerText !== '{drag}'")
    chromium.run("webgpu.Flow.prototype.advance = async steps => ({gpu: 1e-3 * steps, wall: 1e-3 * steps})")
    wait_for(chromium, "document.getElementById('mlups').innerText === '8.19'")  # 128 x 64 cells in 1 ms
    chromium.run("webgpu.device().destroy()")
    wait_for(chromium, "document.getElementById('stage_now').innerText === '00_cpu_aos'")
    said = text_of(chromium, "verdict")
    check("The GPU was lost" in said and "goes on in 00_cpu_aos" in said, f"a lost GPU: {said}")
    step = chromium.run("live.program._step()")
    wait_for(chromium, f"live.program._step() > {step}")
    check(chromium.run("document.querySelector('optgroup')") is None, "a lost GPU is still listed")


def check_no_gpu(chromium, page):
    """Without WebGPU the page has one line more, and is otherwise as it is."""
    script = "delete Navigator.prototype.gpu; delete window.GPUBufferUsage; delete window.GPUShaderStage"
    number = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    chromium.go(page)
    wait_for(chromium, "window.live !== undefined && !document.getElementById('no_gpu').hidden")
    said = text_of(chromium, "no_gpu")
    check("This browser has no WebGPU" in said and "\n" not in said, f"without WebGPU: {said}")
    listed = chromium.run("[...document.querySelectorAll('#stage option')].map(option => option.innerText)")
    check(listed == list(STAGES), f"without WebGPU the stages are {listed}")
    check(chromium.run("document.querySelectorAll('#size option').length") == 3, "sizes of the GPU without one")
    wait_for(chromium, "live.program._step() > 0")
    check(text_of(chromium, "error") == "", text_of(chromium, "error"))
    chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


def check_phone(chromium):
    chromium.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    chromium.send("Emulation.setTouchEmulationEnabled", enabled=True)
    time.sleep(0.3)
    wide = chromium.run("document.documentElement.scrollWidth")
    check(wide <= 390, f"the page is {wide} pixels wide on a phone of 390")
    chromium.run("document.getElementById('view').scrollIntoView({block: 'center'})")
    x, y = middle_of(chromium)
    count = SOLID.format(128, 64)
    before, top = chromium.run(count), chromium.run("scrollY")
    chromium.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    chromium.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y + 40}])
    chromium.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    wait_for(chromium, f"{count} > {before}")
    check(chromium.run("scrollY") == top, "a finger that draws moves the page")
    chromium.send("Emulation.setTouchEmulationEnabled", enabled=False)
    chromium.send("Emulation.clearDeviceMetricsOverride")


def check_stages(chromium):
    """All speeds are measured; the switch waits for the prediction, and judges it."""
    choose(chromium, "pace", "Infinity")
    chromium.run("live.pause(false)")
    wait_for(chromium, "Number(document.getElementById('mlups').textContent) > 0")
    time.sleep(2.5)
    choose(chromium, "stage", 2)
    check(text_of(chromium, "stage_now") == STAGES[0], "the stage changes before the prediction")
    check(STAGES[2] in text_of(chromium, "predict"), "the page does not ask for a prediction")
    chromium.run("document.getElementById('factor').focus()")
    chromium.type("7")
    chromium.press("Enter", 13, "\r")
    check(text_of(chromium, "stage_now") == STAGES[2], "the stage does not change")
    wait_for(chromium, "/predicted 7 times as many. It is .* times/.test(document.getElementById('verdict').innerText)")
    print(text_of(chromium, "verdict"))
    choose(chromium, "size", 1)
    time.sleep(5) # until the budget of a frame has settled
    frames = "new Promise(done => { let n = 0; const begin = performance.now(), count = () => {" \
             "performance.now() - begin < 4000 ? (n++, requestAnimationFrame(count)) : done(n / 4); }; count(); })"
    print(f"{chromium.run(frames)} frames a second at 256 x 128 cells, as fast as possible")


def check_numbers(chromium):
    """A Reynolds number that is not stable is refused, in one line that says what is."""
    for typed in "1e9", "-3", "":
        chromium.run(f"document.getElementById('re').value = '{typed}';"
                     "document.getElementById('re').dispatchEvent(new Event('change'))")
        said = text_of(chromium, "verdict")
        check(said.startswith(f"Re {typed}: this flow takes "), f"Re {typed}: {said}")
    chromium.run("document.getElementById('re').value = '30';"
                 "document.getElementById('re').dispatchEvent(new Event('change'))")
    wait_for(chromium, "Math.abs(live.program._re() - 30) < 1e-9")
    chromium.run("document.activeElement.blur(); live.pause(true)")
    for text in "Run", "Pause":
        check(text_of(chromium, "run") == text, f"the button is not {text}")
        chromium.press(" ", 32, " ")
    chromium.run("live.pause(true)")
    step = chromium.run("live.program._step()")
    chromium.press(".", 190, ".")
    check(chromium.run("live.program._step()") == step + 1, "a full stop does not make one step")
    chromium.press("r", 82, "r")
    check(chromium.run("live.program._step()") == 0, "r does not restart")


def check_lacks(chromium, page):
    """What is missing is said in one line, and nothing else is shown."""
    lacks = [("Object.defineProperty(window, 'WebAssembly', {value: undefined})", "needs WebAssembly, which"),
             ("WebAssembly.validate = () => false", "needs WebAssembly with SIMD")]
    for script, expected in lacks:
        number = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        chromium.go(page)
        wait_for(chromium, "!document.getElementById('error').hidden")
        said = text_of(chromium, "error")
        check(expected in said and "\n" not in said, f"without what it needs the page says: {said}")
        check(chromium.run("document.getElementById('main').hidden"), "a page that lacks something shows its controls")
        chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=number)
    chromium.go(page)
    wait_for(chromium, "window.live !== undefined")
    chromium.run("try { live.program.ccall('begin_flow', null, ['string'], ['swirl']); } catch {}")
    check("unknown flow \"swirl\"" in text_of(chromium, "error"), "the program's error is not shown")


def check_calm(chromium, page):
    chromium.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    chromium.go(page)
    wait_for(chromium, "window.live !== undefined")
    time.sleep(0.5)
    check(chromium.run("live.program._step()") == 0 and text_of(chromium, "run") == "Run", "the page moves by itself")
    chromium.send("Emulation.setEmulatedMedia", features=[])


def check_memory(chromium, program, page, folder):
    chromium.go(page)
    wait_for(chromium, "!document.getElementById('main').hidden || !document.getElementById('error').hidden")
    choose(chromium, "stage", 1)
    choose(chromium, "block", 1)
    wheres = "[...document.querySelectorAll('#lines .where')]"
    line = chromium.run(wheres + ".findIndex(where => /d2q9/.test(where.innerText))")
    chromium.run(f"document.querySelectorAll('#lines input')[{line}].click()")
    where = chromium.run(f"document.querySelectorAll('#lines .where')[{line}].innerText")
    check(chromium.run("document.querySelector('#picture img')") is None, "the picture is there before the prediction")
    chromium.run("document.getElementById('guess').focus()")
    chromium.type("31")
    chromium.press("Enter", 13, "\r")
    check("You predicted 31. The program counted 2." == text_of(chromium, "verdict"), text_of(chromium, "verdict"))
    shown = chromium.run("decodeURIComponent(document.querySelector('#picture img').src.replace(/^[^,]*,/, ''))")
    out = folder + "/request.svg"
    lbm(program, "traffic", "02_soa", "--size", "256x64", "--block", "128x1", "--svg", out, "--line", where)
    with open(out, encoding="utf-8") as file:
        check(shown == file.read(), "the picture is not the one that lbm traffic draws")
    chromium.run("document.getElementById('ask').click()")
    choose(chromium, "stage", 0)
    check(chromium.run("document.querySelector('#sums').innerText").count("this line") == 1, "the line has no numbers")
    chromium.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    wide = chromium.run("document.documentElement.scrollWidth")
    check(wide <= 390, f"the page is {wide} pixels wide on a phone of 390")
    chromium.send("Emulation.clearDeviceMetricsOverride")
    chromium.send("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    chromium.go(page)
    wait_for(chromium, "!document.getElementById('error').hidden")
    check("needs DecompressionStream" in text_of(chromium, "error"), "what the browser lacks is not said")


def main(program, pages):
    flow, memory = (f"file://{os.path.abspath(pages)}/{name}.html" for name in ("flow", "memory"))
    for page in flow, memory:
        size = os.path.getsize(page.removeprefix("file://"))
        check(size < MOST_BYTES, f"{page} has {size} bytes; it may have {MOST_BYTES}")
    with browser.started() as chromium, tempfile.TemporaryDirectory() as folder:
        chromium.go(flow)
        wait_for(chromium, READY)
        wait_for(chromium, "live.program._step() > 0")
        check_flows(chromium, program, folder)
        check_drawn(chromium, program, folder)
        check_bodies(chromium)
        check_phone(chromium)
        check_stages(chromium)
        check_numbers(chromium)
        check(text_of(chromium, "error") == "", text_of(chromium, "error"))
        fetched = chromium.run("performance.getEntriesByType('resource').map(entry => entry.name).join()")
        check(fetched == "", f"the page fetches {fetched}")
        check_no_gpu(chromium, flow)
        check_lacks(chromium, flow)
        check_calm(chromium, flow)
        check_memory(chromium, program, memory, folder)
    with browser.started(browser.DRAWS) as chromium:
        chromium.go(flow)
        wait_for(chromium, READY)
        check_gpu(chromium)
        check_gpu_runs(chromium)
    print("both pages work")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: live_pages.py LBM PAGES")
    main(*sys.argv[1:])
