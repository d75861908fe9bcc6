// The page gpu.html: stages 01 to 04 on the reader's GPU (webgpu.js), beside the tables of record (RECORDS).
"use strict";

(() => {
    const STAGES = Object.keys(KERNELS), BLOCK = RECORDS.block;
    const SIZES = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]; // sides of square grids
    const MOST_BY_ITSELF = 4096; // the side that the page chooses at most
    const LONGEST_STEP = 0.1; // seconds. A browser takes a GPU that computes for seconds away from the page.
    const TAU = 0.8, U = 0.05, WALL = 4; // of the channel in the tables of record
    const byId = id => document.getElementById(id);
    const round = number => Number.isFinite(number) ? String(Number(number.toPrecision(3))) : "–";
    const factor = number => Number.isFinite(number) ? number.toFixed(2) : "–";
    const percent = share => Number.isFinite(share) ? `${Math.round(100 * share)}%` : "–";
    const short = name => name.slice(0, 2);
    const ratioOf = n => `${short(STAGES[n + 1])}/${short(STAGES[n])}`;
    const fastest = speeds => Math.max(...Object.values(speeds ?? {}));
    const square = size => `${size} x ${size}`;

    let about = null; // of the GPU, as webgpu.js says; null: there is none
    let lost = false, stopped = false, done = 0, all = 0; // measurements of a click; all is 0 until a size is chosen
    const predicted = []; // factors, each of a stage over the one before
    const rows = new Map(); // what was measured: name, form, size, block, mlups
    const copies = new Map(); // size to the speeds of a copy of as many bytes, f32 and vec4f, bytes a second
    const steps = new Map(); // size to seconds of a step of the first stage, measured once and roughly

    const fail = text => Object.assign(byId("error"), {textContent: text, hidden: false});

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    /** groups: [heading, rows]. */
    function tableOf(head, groups) {
        const line = cells => make("tr", {}, ...cells.map(text => make("td", {}, text)));
        return make("table", {className: "measured"},
            make("thead", {}, make("tr", {}, ...head.map(text => make("th", {scope: "col"}, text)))),
            ...groups.map(([heading, lines]) => make("tbody", {},
                make("tr", {}, make("th", {scope: "rowgroup", colSpan: head.length}, heading)), ...lines.map(line))));
    }

    // ---- What is measured ----
    /** The flow of the tables of record, at rest. Its numbers lie where the program has them. */
    function channel(size) {
        const nu = (TAU - 0.5) / 3, length = size - 2;
        const words = 1 + Math.max(...Object.values(PHYSICS).map(([at]) => at));
        const physics = new DataView(new ArrayBuffer(4 * words)), types = new Uint8Array(size * size);
        const values = {width: size, height: size, depth: 1, omega: 1 / TAU, force_x: 8 * nu * U / (length * length)};
        for (const [name, value] of Object.entries(values)) {
            const [at, type] = PHYSICS[name];
            physics[type === "i32" ? "setInt32" : "setFloat32"](4 * at, value, true);
        }
        types.fill(WALL, 0, size).fill(WALL, size * (size - 1));
        return {width: size, height: size, physics, types, f: null};
    }

    async function withFlow(name, form, size, block, action) {
        const flow = await webgpu.Flow.begin(name, form, block, channel(size));
        try {
            return await action(flow);
        } finally {
            flow.destroy();
        }
    }

    /** Throws, in one line, where a grid is too large for the GPU, or too slow, which smaller grids show first. */
    async function allow(size) {
        const wide = STAGES.find(name => !webgpu.fits(name, size * size));
        if (wide)
            throw new Error(`${square(size)} cells: ${wide} needs arrays of `
                + `${9 * KERNELS[wide].width * (size / 1024) ** 2} MiB, and this GPU lets a shader see `
                + `${mebibytes()}; ${square(fitting().pop())} cells fit.`);
        for (const side of SIZES.filter(side => side <= size && !steps.has(side))) {
            const expected = 4 * (steps.get(side / 2) - steps.get(SIZES[0])); // without what a pass takes besides
            if (expected > LONGEST_STEP)
                throw new Error(`${square(size)} cells: ${size > side ? "even " : ""}on ${square(side)} a step of `
                    + `${STAGES[0]} would take ${round(expected)} s, and browsers stop a GPU that computes long; `
                    + `${square(side / 2)} cells are quick enough.`);
            say(`how long a step of ${square(side)} cells takes`);
            steps.set(side, await withFlow(STAGES[0], "unrolled", side, BLOCK, async flow => {
                let least = Infinity; // in the first pass the driver compiles
                for (let n = 0; n < 3; n++) {
                    const begin = performance.now();
                    await flow.advance(2);
                    least = Math.min(least, (performance.now() - begin) / 2000);
                }
                return least;
            }));
        }
    }

    /** The side that the reader chose, or the largest that the GPU computes quickly. */
    async function chosenSize() {
        const chosen = Number(byId("size").value);
        let largest = null;
        try {
            for (const size of chosen ? [chosen] : SIZES.filter(size => size <= MOST_BY_ITSELF)) {
                await allow(size);
                largest = size;
            }
        } catch (error) {
            if (!largest || lost || stopped)
                throw error;
        }
        return largest;
    }

    async function measure(name, form, size, block = BLOCK) {
        say(`${name} on ${square(size)} cells, blocks of ${block.join(" x ")}`);
        const seconds = await withFlow(name, form, size, block, flow => flow.time());
        const row = {name, form: webgpu.formOf(name, form), size, block, mlups: size * size / seconds / 1e6};
        rows.set([name, form, size, ...block].join(), row);
        done++;
        showText();
        return row.mlups;
    }

    const measured = (name, form, size) => rows.get([name, form, size, ...BLOCK].join())?.mlups;

    // ---- The stages, one after the other ----
    /** The stages of the questions so far, the one that is open included; and those that are answered. */
    const asked = () => STAGES.slice(0, predicted.length + 2);
    const known = () => predicted.length ? STAGES.slice(0, predicted.length + 1) : [];

    /** The next question: first there is the copy, then one stage more at a time. */
    function ask(size) {
        const n = predicted.length, isCopy = about && !copies.size, next = isCopy ? null : STAGES[n + 1];
        byId("question").textContent = isCopy
            ? "First: how many bytes a second does your GPU move when it only copies an array as large as a grid?"
            : next ? `How many times as many lattice updates a second will ${next} make as ${STAGES[n]}?`
                : about ? "All stages are measured. Measure them again, or on another grid?" : "These are all stages.";
        byId("ratio").textContent = next ? ratioOf(n) : "";
        byId("asked").hidden = byId("factor").disabled = !next;
        byId("factor").value = "";
        byId("measure").textContent = isCopy ? "Measure the copy" : about ? "Measure" : "Show";
        byId("measure").hidden = !about && !next;
        byId("block_stage").replaceChildren(...known().map(name => new Option(name, name, true, true)));
        byId("more").hidden = !about || !n;
        showStages(size);
    }

    /** The copy; then, at each call, all stages up to the one in question, so that those compared run in a row. */
    async function measureNext() {
        const size = about ? await chosenSize() : MOST_BY_ITSELF, isFirst = about && !copies.size;
        const names = about && !isFirst ? asked() : [];
        all = names.length + !copies.has(size);
        if (about && !copies.has(size)) {
            say(`a copy of as many bytes as ${square(size)} cells have`);
            copies.set(size, await webgpu.copySpeeds(36 * size * size));
            done++;
        }
        byId("copied").textContent = `The grid: ${square(size)} cells.` + (about ? " A copy of as many bytes moves "
            + `${round(fastest(copies.get(size)) / 1e9)} GB/s, read and written.` : "");
        showStages(size);
        for (const name of names)
            await measure(name, "unrolled", size);
        if (!byId("factor").disabled)
            predicted.push(byId("factor").valueAsNumber);
        if (about)
            showText();
        ask(size);
    }

    /** What is known, as predicted, here and in the tables of record; of the stage in question only its name. */
    function showStages(size) {
        const {device, copies: {CUDA, WebGPU}, cuda, webgpu: there} = RECORDS;
        const sources = [["here", fastest(copies.get(size)), name => measured(name, "unrolled", size)],
            [`${device}, CUDA`, CUDA, name => cuda[name]?.[size]],
            [`${device}, WebGPU`, WebGPU, name => there[formOf(name)]?.[name]?.[size]]].slice(about ? 0 : 1);
        const lines = (name, n) => [...n ? [["you predicted", "", "", factor(predicted[n - 1])]] : [],
            ...sources.map(([source, copy, speedOf]) => [source, round(speedOf(name)),
                percent(speedOf(name) * 1e6 * KERNELS[name].bytes / copy),
                n ? factor(speedOf(name) / speedOf(STAGES[n - 1])) : ""])];
        byId("table").replaceChildren(tableOf(["", "MLUPS", "of its copy", "over the stage before"],
            asked().map((name, n) => [describe(name), known().includes(name) ? lines(name, n) : []])));
    }

    const formOf = name => about ? webgpu.formOf(name, "unrolled") : "unrolled";
    const isPacked = name => formOf(name) === "packed";
    const describe = name => `${name}: ${KERNELS[name].summary}. An update moves ${KERNELS[name].bytes} bytes.`
        + (isPacked(name) ? " Here shaders have no 16-bit floats (no shader-f16), so two of them share a word, and "
            + 'a thread replaces its half by an atomic operation, which takes time: the form "packed".' : "");

    // ---- Sizes, shapes, loops ----
    async function sweep() {
        const sizes = [], names = known();
        all = fitting().length * names.length;
        try {
            for (const size of SIZES) {
                await allow(size);
                for (const name of names)
                    await measure(name, "unrolled", size);
                sizes.push(size);
                showSweep(names, sizes);
            }
        } catch (error) {
            if (!sizes.length || lost)
                throw error;
            byId("charts").append(make("p", {className: "faint"}, `The sweep ended. ${error.message}`));
        }
    }

    function showSweep(names, sizes) {
        const speedsOf = name => Object.fromEntries(sizes.map(size => [size, measured(name, "unrolled", size)]));
        const mine = Object.fromEntries(names.map(name => [name, speedsOf(name)]));
        const charts = [["here", mine], [`${RECORDS.device}, CUDA`, RECORDS.cuda]];
        byId("charts").replaceChildren(...charts.map(([title, speeds]) => chart(title, names, speeds)));
        byId("sweep_table").replaceChildren(tableOf(["side", ...names.map(short), `µs of ${short(names[0])}`],
            [[`MLUPS of each stage, and microseconds of a step of ${names[0]}`, sizes.map(size => [size,
                ...names.map(name => round(mine[name][size])), round(size * size / mine[names[0]][size])])]]));
    }

    /** A plot of MLUPS, a line for each stage. speeds: name to side of the grid to MLUPS. */
    function chart(title, names, speeds) {
        const sides = Object.keys(speeds[names[0]] ?? {}).map(Number);
        const most = Math.max(...names.flatMap(name => Object.values(speeds[name] ?? {})));
        const unit = 10 ** Math.floor(Math.log10(most)), top = unit * [1, 2, 5, 10].find(n => n * unit >= most);
        const x = side => 70 + 300 * Math.log2(side / sides[0]) / Math.max(1, sides.length - 1);
        const y = mlups => 210 - 170 * mlups / top;
        const marks = [0, top / 2, top].map(mlups =>
            `<path d="M60 ${y(mlups)}H390"/><text x="56" y="${y(mlups) + 4}" text-anchor="end">${round(mlups)}</text>`);
        const ends = sides.map(side => `<text x="${x(side)}" y="228" text-anchor="middle">${side}</text>`);
        const lines = names.map((name, n) => `<g class="line_${n}"><path d="M${70 + 80 * n} 24h30"/>`
            + `<text x="${106 + 80 * n}" y="28">${short(name)}</text>`
            + `<path d="M${sides.map(side => `${x(side)} ${y(speeds[name]?.[side] ?? 0)}`).join("L")}"/></g>`);
        const figure = make("figure", {}, make("figcaption", {}, title));
        figure.insertAdjacentHTML("beforeend", `<svg class="chart" viewBox="0 0 400 250" role="img"
            aria-label="MLUPS of each stage over the cells along a side">${[...marks, ...ends, ...lines].join("")}
            <text x="2" y="28">MLUPS</text><text x="225" y="246" text-anchor="middle">cells along a side</text></svg>`);
        return figure;
    }

    /** All shapes of 32 to 1024 threads whose sides are powers of two, the fastest first. */
    async function rankShapes() {
        const size = await chosenSize(), name = byId("block_stage").value, ranked = [];
        const sides = Array.from({length: 11}, (_, n) => 2 ** n), shapes = sides.flatMap(x => sides.map(y => [x, y]))
            .filter(([x, y]) => x * y >= 32 && x * y <= 1024 && webgpu.takes([x, y]));
        all = shapes.length;
        for (const shape of shapes) {
            ranked.push([shape.join(" x "), await measure(name, "unrolled", size, shape)]);
            ranked.sort((a, b) => b[1] - a[1]);
            byId("shapes").replaceChildren(make("span", {className: "title"}, `${name}, ${square(size)} cells`),
                ...ranked.flatMap(([shape, mlups]) => [make("span", {}, shape),
                    make("span", {}, make("i", {style: `width: ${100 * mlups / ranked[0][1]}%`})),
                    make("b", {}, `${round(mlups)} MLUPS`)]));
        }
    }

    async function measureLoops() {
        const size = await chosenSize(), names = known().filter(name => !isPacked(name)), there = RECORDS.webgpu;
        all = 2 * names.length;
        for (const name of names)
            for (const form of ["unrolled", "loops"])
                await measure(name, form, size);
        const line = (source, unrolled, loops) => [source, round(unrolled), round(loops), factor(loops / unrolled)];
        const lines = name => [line("here", measured(name, "unrolled", size), measured(name, "loops", size)),
            line(`${RECORDS.device}, WebGPU`, there.unrolled[name]?.[size], there.loops[name]?.[size])];
        byId("loops_table").replaceChildren(
            tableOf(["MLUPS", "unrolled", "loops", "ratio"], names.map(name => [name, lines(name)])),
            ...known().filter(isPacked).map(name => `${name} is missing: here it has only the form "packed".`));
    }

    // ---- The text ----
    function showText() {
        const copied = [...copies].map(([size, speeds]) => {
            const [[kind, most], [other, less]] = Object.entries(speeds).sort(([, a], [, b]) => b - a);
            return `# copy: ${round(most / 1e9)} GB/s by ${kind}, ${round(less / 1e9)} by ${other}, `
                + `of as many bytes as a grid of ${square(size)} cells has`;
        });
        byId("text").textContent = [
            "# what: stages 01 to 04 in a browser, by the page gpu.html",
            `# date: ${new Date().toISOString().slice(0, 19)}Z`,
            `# device: ${about.name}${about.isSoftware ? " (software: this is the CPU)" : ""}`,
            `# browser: ${navigator.userAgent}`, `# clock: ${clockName()}`, ...copied,
            `# flow: poiseuille at tau ${TAU}, N x N cells`,
            `# predicted: ${predicted.map((times, n) => `${ratioOf(n)} ${times}`).join(", ")}`,
            "stage,form,size,block_x,block_y,mlups,gbs",
            ...[...rows.values()].map(({name, form, size, block, mlups}) => [name, form, size, ...block, round(mlups),
                round(mlups * KERNELS[name].bytes / 1e3)].join()), ""].join("\n");
        byId("results").hidden = false;
        byId("copy").textContent = "Copy";
    }

    async function copyText() {
        try {
            await navigator.clipboard.writeText(byId("text").textContent);
            byId("copy").textContent = "Copied";
        } catch {
            getSelection().selectAllChildren(byId("text")); // the reader copies it
        }
    }

    // ---- The page ----
    /** What is measured next; throws if the reader has stopped it. */
    function say(text) {
        if (stopped)
            throw new Error("You stopped the measurement.");
        byId("doing").textContent = `Measuring ${text}${all ? `, ${done + 1} of ${all}` : ""} …`;
        byId("busy").hidden = false;
    }

    /** One measurement at a time; what goes wrong stands below its button. */
    async function work(button, action) {
        if (about) // else the error says why there is none
            button.parentElement.after(byId("error"));
        if (lost)
            return;
        byId("error").hidden = about !== null;
        byId("controls").disabled = true;
        stopped = false;
        all = done = 0;
        try {
            await action();
        } catch (error) {
            if (!lost)
                fail(error.message.split("\n")[0]);
        }
        byId("busy").hidden = true;
        byId("controls").disabled = false;
        button.focus({preventScroll: true});
    }

    const clockName = () => about.hasClock ? "of the GPU (timestamp-query)" : "of the page (differences of passes)";
    const mebibytes = () =>
        Math.floor(Math.min(about.limits.maxStorageBufferBindingSize, about.limits.maxBufferSize) / 2 ** 20);
    const fitting = () => SIZES.filter(size => STAGES.every(name => webgpu.fits(name, size * size)));

    function showGpu() {
        byId("sizes").hidden = false;
        byId("size").append(...fitting().map(size => new Option(square(size), size)));
        byId("gpu_name").className = about.isSoftware ? "note" : "";
        byId("gpu_name").textContent = about.isSoftware ? `No GPU: ${about.name} is a program on your CPU that `
            + "imitates one. It works, but slowly. Its speeds say nothing about a GPU." : `Your GPU: ${about.name}.`;
        byId("about").querySelector("ul").append(...[
            about.hasClock ? "The times are those of the GPU's own clock (timestamp-query)."
                : "The page can't read the GPU's clock (no timestamp-query). So it uses the clock of the browser: it "
                + "times a run of many steps and one of half as many, and takes the difference.",
            `A shader sees arrays of ${mebibytes()} MiB at most, enough for ${square(fitting().pop())} cells. `
                + `A block has ${about.limits.maxComputeInvocationsPerWorkgroup} threads at most.`,
        ].map(text => make("li", {}, text)));
    }

    function showCode() {
        const name = byId("code").value, stage = KERNELS[name];
        const box = (language, code) => make("div", {}, make("small", {}, language), make("pre", {tabIndex: 0}, code));
        byId("pairs").replaceChildren(...stage.own.map(([cuda, wgsl]) =>
            make("div", {className: "pair"}, box("CUDA C", cuda), box("WGSL", wgsl))));
        byId("packed").hidden = !isPacked(name);
        byId("shader").textContent = stage[formOf(name)];
    }

    function show() {
        byId("code").append(...STAGES.map(name => new Option(name)));
        byId("predict").addEventListener("submit", event => {
            event.preventDefault();
            work(byId("measure"), measureNext);
        });
        for (const [id, action] of Object.entries({sweep, rank: rankShapes, loops: measureLoops}))
            byId(id).addEventListener("click", () => work(byId(id), action));
        byId("stop").addEventListener("click", () => {
            stopped = true;
            byId("doing").textContent = "Stopping after this measurement …";
        });
        byId("code").addEventListener("change", showCode);
        byId("block_stage").addEventListener("change", () => byId("shapes").replaceChildren());
        byId("copy").addEventListener("click", copyText);
        showCode();
    }

    async function main() {
        if (STAGES.length < 2)
            return fail("This page compares stages 01 to 04, and this book was built with fewer than two of them.");
        show();
        try {
            await webgpu.start(text => {
                lost = true;
                fail(text);
            });
            about = webgpu.about();
            showGpu();
            showCode();
        } catch (error) {
            fail(`${error.message.split("\n")[0]} What follows shows the tables of record, and the code.`);
        }
        window.gpu = {channel, allow, about}; // for the console, and for the tests
        ask();
        byId("controls").disabled = false;
    }

    main();
})();
