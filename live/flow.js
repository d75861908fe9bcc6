// The page flow.html. All that is computed, and every colour, comes from the program (live.c; on the GPU webgpu.js): here
// are only the controls, the clock, and the particles that move with the program's velocities.
"use strict";

(() => {
    const LONG = [[128, 64], [256, 128], [512, 256], [1024, 512], [2048, 1024]];
    const FLOWS = [ // name in the program, what it is called, sizes, Reynolds number at the start, discs: x, y, radius
        {name: "cylinder", label: "cylinder", sizes: LONG, re: 150},
        {name: "bodies", label: "three bodies", sizes: LONG, re: 100,
            discs: [[0.2, 0.5, 0.06], [0.36, 0.28, 0.09], [0.36, 0.72, 0.09]]}, // of width, height and height
        {name: "cavity", label: "cavity", sizes: [66, 130, 258, 514, 1026].map(n => [n, n]), re: 1000},
        {name: "taylor_green", label: "Taylor-Green vortices", sizes: [64, 128, 256, 512, 1024].map(n => [n, n]),
            re: 200},
    ];
    const SIZES_OF_CPU = 3; // of each flow; the others are listed where there is a GPU
    const RADII = [1, 2, 4, 6, 9, 12];
    const SLOWEST = 30; // milliseconds from frame to frame, so that 30 frames a second are kept
    const LEAST_BUDGET = 4, MOST_BUDGET = 26; // milliseconds of a frame for the flow
    const CHUNK = 4; // milliseconds between two looks at the force
    const WARM_UP = 2; // measurements during which the browser may still be compiling
    const MOST_PARTICLES = 700, SAMPLES = 600;
    const BLOCK = [32, 8]; // of the GPU, as in the program
    const READ_EVERY = 250; // milliseconds between two looks at what the GPU has computed
    // A module whose one function makes a vector of 128 bits: valid only where WebAssembly has these.
    const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
        0, 253, 15, 253, 98, 11]);
    const byId = id => document.getElementById(id);
    const element = (tag, textContent = "", className = "") =>
        Object.assign(document.createElement(tag), {textContent, className});
    const round = (number, digits = 3) => Number.isFinite(number) ? String(Number(number.toPrecision(digits))) : "–";

    let program; // the C functions, each behind a "_"
    let flow, width, height, stage = 0; // beyond the program's own stages come those of the GPU
    let gpuStages = []; // names
    let gpu = null; // the flow there, if the GPU computes it
    let begun = 0; // flows and stages so far: what the GPU still does for an older one is void
    let busy = 0; // things that the GPU does, and for which frames wait
    let batch = 2; // steps of a frame that fit into the budget there
    let readAt = null, readNext = 0; // step of the last look at the GPU's flow, and when the next one is due
    let isSingle = false; // whether the next frame makes one cycle on the GPU, though paused
    let picture; // what the GPU draws with: the largest value, speed of a lid, whether vorticity; shades
    let streamlines = null; // pieces, of the last look
    let paused = false, diverged = false;
    let last = 0, due = 0; // of the last frame, and steps that are due by the pace
    let budget = LEAST_BUDGET; // falls while frames are slower than SLOWEST, for whatever reason; else it grows
    let changed = true; // whether the picture is older than the flow
    let prediction = null; // of a switch: from, to, factor
    let strokes = []; // discs that the next frame draws
    let brush = null; // where it is seen, in cells
    let newRe = null; // what the next frame sets
    let samples = [];
    let particles = null;
    const speeds = new Map(); // MLUPS, by stage, on the grid of now
    const windows = new Map(); // how often each was measured there
    const measured = {steps: 0, computing: 0, since: 0};

    function fail(text) {
        byId("error").textContent = text;
        byId("error").hidden = false;
    }

    function say(text) {
        byId("verdict").textContent = text;
        byId("verdict").hidden = !text;
    }

    const text = pointer => program.UTF8ToString(pointer);
    const onGpu = n => gpuStages[n - program._count_stages()]; // the stage's name, if it is one of the GPU
    const isPacked = n => onGpu(n) && webgpu.formOf(onGpu(n)) === "packed";
    const stageName = n => onGpu(n) ? onGpu(n) + (isPacked(n) ? ", packed" : "") : text(program._stage_name(n));
    const sizeName = n => flow.sizes[n].join(" x ");
    const stageNumbers = () => [...Array(program._count_stages() + gpuStages.length).keys()];
    const field = () => Number(byId("field").value);

    // ---- The flow ----
    function forget() {
        samples = [];
        particles = null;
        diverged = false;
        due = 0;
        say("");
        changed = true;
    }

    function begin() {
        [width, height] = flow.sizes[byId("size").value];
        supersede();
        leaveGpu();
        program.ccall("begin_flow", null, ["string", "number", "number", "number", "number"],
            [flow.name, width, height, flow.re, programStage()]);
        if (flow.discs) {
            program._draw_disc(width / 2, height / 2, width, 0);
            flow.discs.forEach(([x, y, radius]) => program._draw_disc(x * width, y * height, radius * height, 1));
            program._end_drawing();
        }
        speeds.clear();
        windows.clear();
        restartClock();
        forget();
        look();
        fitCanvas();
        showRange();
        showSpeeds();
        paintBar();
        paint();
        if (onGpu(stage))
            withGpu(lend);
    }

    function look(step = program._step()) {
        streamlines = null;
        if (!program._look() && !diverged) {
            diverged = true;
            pause(true);
            say(`The flow diverged before step ${step}: its numbers are no longer finite. Press Reset.`);
        }
        if (program._has_bodies()) {
            samples.push([step, program._drag(), program._lift()]);
            samples.splice(0, samples.length - SAMPLES);
        }
        changed = true;
    }

    function restartClock() {
        measured.steps = measured.computing = 0;
        measured.since = performance.now();
    }

    /** Steps of the flow, and what is measured of them. */
    function advance(steps) {
        const begin = performance.now();
        program._advance(steps);
        measured.computing += performance.now() - begin;
        measured.steps += steps;
    }

    /** Makes the steps that are due after so many milliseconds, or those that fit into the frame. Returns how many. */
    function computeFrame(elapsed, begin) {
        const pace = Number(byId("pace").value);
        due = pace === Infinity ? Infinity : Math.min(due + pace * elapsed / 1000, pace);
        const done = gpu ? advanceOnGpu(2 * Math.floor(Math.min(due, batch) / 2)) : computeOnCpu(begin);
        due = Math.min(due - done, pace / 10); // a slow stage falls behind, and does not catch up
        return done;
    }

    /** The force is sampled in between. */
    function computeOnCpu(begin) {
        let done = 0;
        while (due >= done + 1 && !diverged && (done === 0 || performance.now() - begin < budget)) {
            const known = speeds.get(stage) ?? 5; // MLUPS
            const fit = Math.max(1, Math.floor(known * CHUNK * 1000 / (width * height)));
            const steps = Math.min(Math.floor(due - done), fit);
            advance(steps);
            look();
            done += steps;
        }
        return done;
    }

    function measure(now) {
        const wall = now - measured.since;
        if (wall < 500 || measured.computing < 20)
            return;
        const mlups = measured.steps * width * height / measured.computing / 1000;
        speeds.set(stage, Math.max(mlups, speeds.get(stage) ?? 0));
        windows.set(stage, 1 + (windows.get(stage) ?? 0));
        byId("mlups").textContent = round(mlups);
        byId("rate").textContent = round(measured.steps / wall * 1000);
        restartClock();
        showSpeeds();
        judge();
    }

    // ---- The GPU ----
    const programStage = () => onGpu(stage) ? -1 : stage;

    function supersede() {
        begun++;
        readAt = null;
        readNext = 0;
    }

    /** Does something on the GPU for the flow of now; frames wait for it. If it fails, the program goes on. */
    async function withGpu(action, frames = 1) {
        const number = begun;
        busy += frames;
        try {
            await action(() => number === begun);
        } catch (error) {
            if (number === begun && !(error instanceof DOMException)) // of a lost GPU: see loseGpu
                giveUpGpu(error.message);
        }
        busy -= frames;
    }

    /** Copies of what the program has, for Flow.begin. */
    function scenario() {
        const copy = (at, bytes) => program.HEAPU8.slice(at, at + bytes);
        const physics = copy(program._physics(), 4 * (1 + PHYSICS.force_z[0])), [w, h] = new Int32Array(physics.buffer);
        const types = copy(program._all_types(), w * h);
        return {width: w, height: h, physics, types, get f() {
            return new Float32Array(copy(program._populations(), 36 * w * h).buffer);
        }};
    }

    const createOnGpu = name => webgpu.Flow.begin(name, "unrolled", BLOCK, scenario());
    const take = f => program.HEAPF32.set(f, program._populations() / 4);

    /** The flow, as the program has it, goes on on the GPU. */
    async function lend(isCurrent) {
        const created = await createOnGpu(onGpu(stage));
        await created.beginPictures(byId("flow_on_gpu"), program._count_shades());
        if (!isCurrent())
            return created.destroy();
        gpu = created;
        batch = 2;
        restartClock();
        byId("flow").hidden = !(byId("flow_on_gpu").hidden = false);
        changed = true;
    }

    function leaveGpu() {
        gpu?.destroy();
        gpu = null;
        byId("flow").hidden = !(byId("flow_on_gpu").hidden = true);
    }

    function giveUpGpu(message) {
        supersede();
        leaveGpu();
        stage = 0;
        program._set_stage(stage);
        look();
        showSpeeds();
        say(`${message} The flow goes on in ${stageName(stage)}.`);
    }

    /** The flow goes on in another stage. */
    function moveTo(next) {
        stage = next;
        supersede();
        withGpu(async isCurrent => {
            if (gpu) {
                const f = await gpu.read();
                if (!isCurrent())
                    return;
                take(f);
                leaveGpu();
            }
            program._set_stage(programStage());
            look();
            if (onGpu(stage))
                await lend(isCurrent);
        });
    }

    /** Submits steps, an even number, and learns from what they take how many fit into a frame. */
    function advanceOnGpu(steps) {
        if (steps > 0)
            withGpu(async isCurrent => {
                program._advance(steps);
                const {gpu: seconds, wall} = await gpu.advance(steps);
                if (!isCurrent())
                    return;
                measured.computing += 1000 * seconds;
                measured.steps += steps;
                const fits = Math.min(Math.max(budget / (1000 * wall), 0.5), 2);
                if (steps === batch || fits < 1)
                    batch = 2 * Math.max(1, Math.round(steps * fits / 2));
            });
        return steps;
    }

    /** Reads the populations back, from which the program finds the force and the velocities. */
    async function lookAtGpu(isCurrent) {
        const step = readAt = program._step();
        readNext = Infinity;
        const f = await gpu.read(), begin = performance.now();
        if (!isCurrent())
            return;
        take(f);
        look(step);
        readNext = performance.now() + Math.max(READ_EVERY, 10 * (performance.now() - begin));
    }

    function list(id, label, numbers) {
        const group = element("optgroup");
        group.label = label;
        group.append(...numbers.map(n => new Option(id === "size" ? sizeName(n) : stageName(n), n)));
        byId(id).append(group);
    }

    function listLargeSizes() {
        const fits = n => gpuStages.every(name => webgpu.fits(name, flow.sizes[n][0] * flow.sizes[n][1]));
        if (gpuStages.length)
            list("size", "for your GPU", [...flow.sizes.keys()].slice(SIZES_OF_CPU).filter(fits));
    }

    const whereGpu = () =>
        webgpu.about().isSoftware ? "on a software adapter: the CPU pretends to be a GPU" : "on your GPU";

    /** Lists the stages that the GPU computes, where there is one. */
    async function findGpu() {
        if (!Object.keys(KERNELS).length)
            return; // of a build without these stages
        try {
            await webgpu.start(loseGpu);
        } catch (error) {
            byId("no_gpu").textContent = `Stages 01 to 04 would run here on your own GPU. ${error.message}`;
            byId("no_gpu").hidden = false;
            return;
        }
        gpuStages = Object.keys(KERNELS);
        list("stage", whereGpu(), stageNumbers().filter(onGpu));
        listLargeSizes();
        byId("gpu").hidden = false;
        showSpeeds();
    }

    function loseGpu(message) {
        const wasThere = onGpu(stage);
        gpuStages = [];
        document.querySelectorAll("optgroup").forEach(group => group.remove());
        if (wasThere)
            giveUpGpu(message);
        else
            fail(message);
    }

    // ---- The stages ----
    function showSpeeds() {
        const most = Math.max(...speeds.values());
        byId("speeds").replaceChildren(...stageNumbers().flatMap(n => {
            const bar = element("i"), box = element("span"), speed = speeds.get(n);
            bar.style.width = `${100 * (speed ?? 0) / most}%`;
            bar.hidden = !speed;
            box.append(bar);
            const isFirst = n === program._count_stages(); // of the GPU
            return [...isFirst ? [element("span", `${whereGpu()} (${webgpu.about().name})`, "title")] : [],
                element("span", stageName(n), n === stage ? "now" : ""), box, element("b", round(speed))];
        }));
        byId("one").textContent = onGpu(stage) ? "Two steps" : "One step";
        byId("stage_now").textContent = stageName(stage);
        byId("stage").value = stage;
    }

    function askFor(next) {
        byId("predict").hidden = next === stage;
        byId("predict").dataset.next = next;
        byId("predict_title").textContent = `From ${stageName(stage)} to ${stageName(next)}`;
        byId("predict_summary").textContent = KERNELS[onGpu(next)]?.summary ?? text(program._stage_summary(next));
        byId("factor").value = "";
        if (next !== stage)
            byId("factor").focus();
    }

    function switchTo(next, factor) {
        prediction = {from: stage, to: next, factor};
        moveTo(next);
        byId("predict").hidden = true;
        byId("mlups").textContent = byId("rate").textContent = "–";
        restartClock();
        showSpeeds();
        say(`You predicted ${round(factor)} times as many. Measuring …`);
    }

    function judge() {
        if (!prediction || prediction.to !== stage || windows.get(stage) <= WARM_UP)
            return;
        const {from, factor} = prediction, before = speeds.get(from), after = speeds.get(stage);
        if ((onGpu(from) || onGpu(stage)) && webgpu.about().isSoftware)
            say(`You predicted ${round(factor)} times as many. Here the CPU pretends to be a GPU, so its speed says `
                + "nothing about your prediction.");
        else if (windows.get(from) > WARM_UP)
            say(`You predicted ${round(factor)} times as many. It is ${round(after / before, 2)} times: from `
                + `${round(before)} to ${round(after)} MLUPS.`);
        else
            say(`You predicted ${round(factor)} times as many, but ${stageName(from)} ran too short on this grid to be `
                + "measured: switch back, and wait two seconds.");
        prediction = null;
    }

    // ---- Bodies and the Reynolds number ----
    function applyChanges() {
        if (strokes.length) {
            const before = round(program._re());
            strokes.forEach(([x, y]) =>
                program._draw_disc(x, y, Number(byId("radius").value), Number(byId("brush").value)));
            strokes = [];
            program._end_drawing();
            if (!program._has_bodies())
                samples = [];
            else if (round(program._re()) !== before)
                say(`Re is now ${round(program._re())} instead of ${before}: its length is the height of the tallest body, `
                    + "in whole cells.");
            goOn();
        }
        if (newRe !== null) {
            program._set_re(newRe);
            newRe = null;
            goOn();
        }
    }

    /** The flow goes on with other bodies or another viscosity. */
    function goOn() {
        showRange();
        showTicks();
        if (!gpu)
            return look();
        const {physics, types} = scenario();
        withGpu(() => gpu.change(physics, types));
        readAt = null;
        changed = true;
    }

    function showRange() {
        const least = program._least_re(), most = program._most_re(), re = program._re();
        byId("re_slider").value = Math.log(re / least) / Math.log(most / least);
        byId("re_slider").setAttribute("aria-valuetext", round(re));
        if (document.activeElement !== byId("re"))
            byId("re").value = round(re);
        byId("re_now").textContent = round(re);
    }

    function typeRe() {
        const least = program._least_re(), most = program._most_re(), typed = byId("re").valueAsNumber;
        if (typed >= least && typed <= most) {
            newRe = typed;
            say("");
        } else {
            say(`Re ${byId("re").value}: this flow takes ${round(least)} to ${round(most)} on this grid.`);
            byId("re").value = round(program._re());
        }
    }

    function cellAt(event) {
        const box = byId("view").getBoundingClientRect();
        return [(event.clientX - box.left) / box.width * width - 0.5,
            height - 0.5 - (event.clientY - box.top) / box.height * height];
    }

    /** Discs from where the brush was to where it is. */
    function strokeTo(cell) {
        const from = brush ?? cell, far = Math.hypot(cell[0] - from[0], cell[1] - from[1]), count = Math.ceil(far) || 1;
        for (let n = 1; n <= count; n++)
            strokes.push([from[0] + (cell[0] - from[0]) * n / count, from[1] + (cell[1] - from[1]) * n / count]);
        brush = cell;
    }

    function listenToBrush(view) {
        view.addEventListener("pointerdown", event => {
            view.setPointerCapture(event.pointerId);
            brush = null;
            strokeTo(cellAt(event));
        });
        view.addEventListener("pointermove", event => {
            if (event.buttons)
                strokeTo(cellAt(event));
            else
                brush = cellAt(event);
            changed = true;
        });
        view.addEventListener("pointerleave", () => {
            brush = null;
            changed = true;
        });
        view.addEventListener("keydown", event => {
            const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
            if (!move && event.key !== "Enter")
                return;
            brush ??= [width / 2, height / 2];
            const far = event.shiftKey ? 10 : 2;
            if (move)
                brush = [Math.min(Math.max(brush[0] + far * move[0], 0), width - 1),
                    Math.min(Math.max(brush[1] + far * move[1], 0), height - 1)];
            else
                strokes.push(brush);
            changed = true;
            event.preventDefault();
        });
    }

    // ---- The picture ----
    function fitCanvas() {
        for (const canvas of [byId("flow"), byId("flow_on_gpu")]) {
            canvas.width = width;
            canvas.height = height;
        }
        byId("view").style.maxWidth = `calc(55vh * ${width / height})`;
        sizeAbove();
    }

    function sizeAbove() {
        const box = byId("view").getBoundingClientRect(), above = byId("above"), plot = byId("plot");
        above.width = Math.round(box.width * devicePixelRatio);
        above.height = Math.round(box.height * devicePixelRatio);
        plot.width = Math.round(plot.clientWidth * devicePixelRatio);
        plot.height = Math.round(plot.clientHeight * devicePixelRatio);
        changed = true;
    }

    function paint() {
        if (gpu) {
            picture[0] = program._largest();
            return gpu.draw(picture);
        }
        const pixels = program._paint(field());
        const data = new Uint8ClampedArray(program.HEAPU8.buffer, pixels, 4 * width * height);
        byId("flow").getContext("2d").putImageData(new ImageData(data.slice(), width), 0, 0);
    }

    /** Takes the field that is chosen, with its colour map. */
    function paintBar() {
        program._paint(field());
        const count = program._count_shades(), shades = program._shades(), bar = byId("bar");
        bar.width = count;
        const image = new ImageData(count, 1);
        for (let n = 0; n < count; n++)
            image.data.set([...program.HEAPU8.subarray(shades + 3 * n, shades + 3 * n + 3), 255], 4 * n);
        bar.getContext("2d").putImageData(image, 0, 0);
        picture = Float32Array.of(0, program._speed(), field(), 0, ...Array.from(image.data, byte => byte / 255));
        showTicks();
        changed = true;
    }

    function showTicks() {
        const most = program._largest(), isSpeed = field() === 0;
        const ticks = isSpeed ? [0, most / 16, most / 4, most] : [-most, 0, most];
        byId("ticks").replaceChildren(...ticks.map((value, n) => {
            const unit = n === ticks.length - 1 ? (isSpeed ? " cells a step" : " / step") : "";
            const tick = element("span", round(value, 2) + unit);
            tick.style.left = `${100 * program._place(value)}%`;
            return tick;
        }));
    }

    const seed = n => {
        particles[4 * n] = particles[4 * n + 2] = Math.random() * (width - 1);
        particles[4 * n + 1] = particles[4 * n + 3] = Math.random() * (height - 1);
    };

    /** Moves the particles for so many steps: x, y now and x, y before, each. */
    function moveParticles(steps) {
        if (!particles) {
            particles = new Float32Array(4 * Math.min(MOST_PARTICLES, byId("view").clientWidth));
            for (let n = 0; n < particles.length / 4; n++)
                seed(n);
        }
        const cells = width * height;
        const speed = new Float32Array(program.HEAPU8.buffer, program._all_moments(), 4 * cells);
        const types = program.HEAPU8.subarray(program._all_types(), program._all_types() + cells);
        const pieces = Math.min(Math.ceil(steps * 2 * program._speed()), 50), dt = steps / pieces;
        for (let n = 0; n < particles.length / 4; n++) {
            let x = particles[4 * n], y = particles[4 * n + 1];
            particles[4 * n + 2] = x;
            particles[4 * n + 3] = y;
            let alive = Math.random() > 0.004;
            for (let piece = 0; piece < pieces && alive; piece++) {
                const west = Math.floor(x), south = Math.floor(y), cell = south * width + west;
                const a = x - west, b = y - south, p = 4 * cell, q = p + 4 * width;
                const mean = i => (1 - b) * ((1 - a) * speed[p + i] + a * speed[p + 4 + i])
                    + b * ((1 - a) * speed[q + i] + a * speed[q + 4 + i]);
                x += dt * mean(1);
                y += dt * mean(2);
                alive = x >= 0 && y >= 0 && x < width - 1 && y < height - 1
                    && types[Math.round(y) * width + Math.round(x)] < 4; // not solid
            }
            particles[4 * n] = x;
            particles[4 * n + 1] = y;
            if (!alive)
                seed(n);
        }
    }

    function findStreamlines() {
        const first = program._find_streamlines() / 4;
        return program.HEAPF32.slice(first, first + 4 * program._count_pieces());
    }

    function drawAbove() {
        const above = byId("above"), context = above.getContext("2d"), lines = byId("lines").value;
        const sx = above.width / width, sy = above.height / height;
        const x = cell => (cell + 0.5) * sx, y = cell => (height - 0.5 - cell) * sy;
        context.clearRect(0, 0, above.width, above.height);
        context.strokeStyle = field() === 0 ? "rgba(255, 255, 255, 0.75)" : "rgba(0, 0, 0, 0.6)";
        context.lineWidth = 1.3 * devicePixelRatio;
        context.lineCap = "round";
        context.beginPath();
        if (lines === "particles" && particles)
            for (let n = 0; n < particles.length; n += 4) {
                context.moveTo(x(particles[n + 2]), y(particles[n + 3]));
                context.lineTo(x(particles[n]) + 0.1, y(particles[n + 1]));
            }
        if (lines === "streamlines") {
            streamlines ??= findStreamlines();
            for (let n = 0; n < streamlines.length; n += 4) {
                context.moveTo(x(streamlines[n]), y(streamlines[n + 1]));
                context.lineTo(x(streamlines[n + 2]), y(streamlines[n + 3]));
            }
        }
        context.stroke();
        if (brush) {
            context.strokeStyle = "#cc6633";
            context.beginPath();
            context.arc(x(brush[0]), y(brush[1]), (Number(byId("radius").value) + 0.5) * sx, 0, 2 * Math.PI);
            context.stroke();
        }
    }

    // ---- The force over time ----
    function drawPlot() {
        const plot = byId("plot"), context = plot.getContext("2d"), ratio = devicePixelRatio;
        const style = getComputedStyle(document.documentElement), colour = name => style.getPropertyValue(name);
        context.clearRect(0, 0, plot.width, plot.height);
        const newest = samples[samples.length - 1];
        byId("drag").textContent = newest ? newest[1].toFixed(2) : "–";
        byId("lift").textContent = newest ? newest[2].toFixed(2) : "–";
        if (samples.length < 2) {
            context.font = `${14 * ratio}px system-ui, sans-serif`;
            context.fillStyle = colour("--faint");
            const advice = program._has_bodies() ? "" : "Draw a body to see the force on it.";
            context.fillText(advice, 12 * ratio, 28 * ratio);
            return;
        }
        const recent = samples.slice(samples.length / 2).flatMap(sample => sample.slice(1)).filter(Number.isFinite);
        recent.sort((a, b) => a - b);
        const trim = Math.floor(recent.length / 100); // a stroke of the brush is a blow, as is the start of a flow
        const low = Math.min(0, recent[trim]), high = Math.max(0.1, recent[recent.length - 1 - trim]);
        const reach = 1.1 * (high - low);
        const left = 40 * ratio, foot = 18 * ratio, first = samples[0][0], span = newest[0] - first || 1;
        const x = step => left + (plot.width - left) * (step - first) / span;
        const y = value => (plot.height - foot) * (1 - (value - low + 0.04 * reach) / reach);
        context.font = `${12 * ratio}px system-ui, sans-serif`;
        context.fillStyle = colour("--faint");
        context.strokeStyle = colour("--line");
        context.lineWidth = ratio;
        for (const value of [low, 0, high]) {
            context.fillText(round(value, 2), 2 * ratio, y(value) + 4 * ratio);
            context.strokeRect(left, y(value), plot.width, 0);
        }
        context.fillText(`step ${first}`, left, plot.height - 4 * ratio);
        context.textAlign = "right";
        context.fillText(String(newest[0]), plot.width - 4 * ratio, plot.height - 4 * ratio);
        context.textAlign = "left";
        context.lineWidth = 1.5 * ratio;
        for (const [n, name] of [[1, "--strong"], [2, "--second"]]) {
            context.strokeStyle = colour(name);
            context.beginPath();
            samples.forEach(sample => context.lineTo(x(sample[0]), y(sample[n])));
            context.stroke();
        }
    }

    // ---- The clock and the controls ----
    function frame(now) {
        requestAnimationFrame(frame);
        if (busy)
            return;
        const elapsed = Math.min(now - last, 100);
        const begin = performance.now();
        last = now;
        budget = Math.min(Math.max(budget + (elapsed > SLOWEST ? -2 : 0.5), LEAST_BUDGET), MOST_BUDGET);
        applyChanges();
        const steps = isSingle ? advanceOnGpu(2) : paused ? 0 : computeFrame(elapsed, begin);
        isSingle = false;
        if (steps) {
            moveParticles(steps);
            changed = true;
        }
        if (gpu && readAt !== program._step() && now > readNext)
            withGpu(lookAtGpu, 0);
        if (!changed)
            return;
        show();
        measure(performance.now());
    }

    function show() {
        changed = false;
        paint();
        drawAbove();
        drawPlot();
        byId("step_now").textContent = program._step();
    }

    function pause(now) {
        paused = now;
        byId("run").textContent = paused ? "Run" : "Pause";
        restartClock();
    }

    function makeOneStep() {
        pause(true);
        if (diverged)
            return;
        isSingle = gpu !== null;
        if (isSingle)
            return; // to the next frame
        advance(1);
        look();
        moveParticles(1);
    }

    function restart() {
        program._restart();
        supersede();
        if (onGpu(stage))
            withGpu(gpu ? () => gpu.write(scenario().f) : lend);
        forget();
        look();
    }

    function fill(select, options, chosen) {
        select.replaceChildren(...options.map(([value, label]) => new Option(label, value, false, value === chosen)));
    }

    function chooseFlow() {
        flow = FLOWS[byId("name").value];
        fill(byId("size"), [...Array(SIZES_OF_CPU).keys()].map(n => [n, sizeName(n)]), 1);
        listLargeSizes();
        begin();
    }

    function listen() {
        const on = (id, event, action) => byId(id).addEventListener(event, action);
        on("run", "click", () => diverged || pause(!paused));
        on("one", "click", makeOneStep);
        on("restart", "click", restart);
        on("reset", "click", begin);
        on("name", "change", chooseFlow);
        on("size", "change", begin);
        on("field", "change", paintBar);
        on("lines", "change", () => changed = true);
        on("pace", "change", () => {
            due = 0;
            restartClock();
        });
        on("re_slider", "input", () => {
            const least = program._least_re(), most = program._most_re();
            newRe = least * Math.pow(most / least, byId("re_slider").valueAsNumber);
        });
        on("re", "change", typeRe);
        on("stage", "change", () => askFor(Number(byId("stage").value)));
        on("predict", "submit", event => {
            event.preventDefault();
            switchTo(Number(byId("predict").dataset.next), byId("factor").valueAsNumber);
        });
        on("stay", "click", () => {
            byId("predict").hidden = true;
            byId("stage").value = stage;
        });
        listenToBrush(byId("view"));
        addEventListener("resize", sizeAbove);
        addEventListener("keydown", event => {
            if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("button, select, input"))
                return;
            const action = {" ": () => byId("run").click(), ".": makeOneStep, r: restart}[event.key];
            if (action) {
                action();
                event.preventDefault();
            }
        });
    }

    async function main() {
        if (typeof WebAssembly !== "object")
            return fail("This page needs WebAssembly, which your browser lacks or has switched off.");
        if (!WebAssembly.validate(SIMD))
            return fail("This page needs WebAssembly with SIMD, vectors of 128 bits: Chrome 91, Firefox 89, Safari 16.4, "
                + "or later.");
        program = await createProgram({printErr: line => fail(line.replace(/^lbm: /, "The program: "))});
        byId("main").hidden = false;
        fill(byId("name"), FLOWS.map(({label}, n) => [n, label]), 0);
        fill(byId("radius"), RADII.map(radius => [radius, `${2 * radius + 1} cells`]), 4);
        fill(byId("stage"), stageNumbers().map(n => [n, stageName(n)]), 0);
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
            byId("calm").hidden = false;
            byId("lines").value = "streamlines";
            pause(true);
        }
        listen();
        chooseFlow();
        requestAnimationFrame(frame);
        window.live = {program, pause, moveTo, createOnGpu, take, paint}; // for the console, and for the tests
        await findGpu();
    }

    main().catch(error => fail(`This page has failed: ${error.message ?? error}`));
})();
