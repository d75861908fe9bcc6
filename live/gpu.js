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
    const short = name => name.slice(0, 2);
    const ratioOf = n => `${short(STAGES[n + 1])}/${short(STAGES[n])}`;
    const square = size => `${size} x ${size}`;

    let about = null; // of the GPU, as webgpu.js says; null: there is none
    let lost = false, busy = false;
    const predicted = []; // factors, one less than stages
    const rows = new Map(); // what was measured: name, form, size, block, mlups
    const copies = new Map(); // size to the speeds of a copy of as many bytes, f32 and vec4f, bytes a second
    const steps = new Map(); // size to seconds of a step of the first stage, measured once and roughly

    function fail(text) {
        byId("error").textContent = text;
        byId("error").hidden = false;
        byId("error").scrollIntoView({block: "nearest"});
    }

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    function tableOf(head, lines) {
        return make("table", {className: "measured"},
            make("thead", {}, make("tr", {}, ...head.map(text => make("th", {scope: "col"}, text)))),
            make("tbody", {}, ...lines.map(cells => make("tr", {}, ...cells.map(text => make("td", {}, text))))));
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
                throw new Error(`${square(side)} cells: a step of ${STAGES[0]} would take ${round(expected)} s, and `
                    + `browsers stop a GPU that computes long; ${square(side / 2)} cells are quick enough.`);
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
            if (!largest || lost)
                throw error;
        }
        return largest;
    }

    async function measure(name, form, size, block = BLOCK) {
        say(`${name} on ${square(size)} cells, blocks of ${block.join(" x ")}`);
        const seconds = await withFlow(name, form, size, block, flow => flow.time());
        if (!(seconds > 0 && seconds < Infinity))
            throw new Error(`${name}: the clock shows ${seconds} s for a step. Close other pages, and measure again.`);
        const row = {name, form: webgpu.formOf(name, form), size, block, mlups: size * size / seconds / 1e6};
        rows.set([name, form, size, ...block].join(), row);
        showText();
        return row.mlups;
    }

    const measured = (name, form, size) => rows.get([name, form, size, ...BLOCK].join())?.mlups;

    // ---- The stages ----
    async function measureStages() {
        const size = await chosenSize();
        say("a copy");
        copies.set(size, await webgpu.copySpeeds(36 * size * size));
        for (const name of STAGES)
            await measure(name, "unrolled", size);
        showStages(size);
        byId("more").hidden = false;
    }

    /** The four stages on a grid of this side: here, as predicted, and in the tables of record. */
    function showStages(size) {
        const copy = Math.max(...Object.values(copies.get(size) ?? {}));
        const mine = STAGES.map(name => measured(name, "unrolled", size));
        const bytes = mine.map((mlups, n) => mlups * 1e6 * KERNELS[STAGES[n]].bytes); // a second
        const shares = bytes.map(each => `${Math.round(100 * each / copy)}%`);
        const columnsOf = (title, speeds) => [[title, speeds.map(round)],
            ["over the stage before", speeds.map((speed, n) => n ? factor(speed / speeds[n - 1]) : "")]];
        const columns = [["Stage", STAGES.map(labelOf)],
            ...about ? columnsOf("MLUPS", mine) : [],
            ["you predicted", ["", ...predicted.map(factor)]],
            ...about ? [["GB/s", bytes.map(each => round(each / 1e9))], ["of the copy", shares]] : [],
            ...Object.entries({CUDA: RECORDS.cuda, WebGPU: RECORDS.webgpu.unrolled}).flatMap(([api, speeds]) => speeds
                ? columnsOf(`${RECORDS.device}, ${api}: MLUPS`, STAGES.map(name => speeds[name]?.[size])) : [])];
        byId("table").replaceChildren(tableOf(columns.map(([title]) => title),
            STAGES.map((_, n) => columns.map(([, cells]) => cells[n]))));
        const best = bytes.indexOf(Math.max(...bytes));
        const judgement = about?.isSoftware
            ? "These are the speeds of your CPU, which imitates a GPU. It has no warps, so they judge no prediction."
            : `Stage ${short(STAGES[best])} comes closest, with ${shares[best]} as many bytes a second. A stage near `
            + "100% becomes faster only if it moves fewer bytes.";
        byId("verdict").textContent = `${square(size)} cells. ` + (about
            ? `A copy moves ${round(copy / 1e9)} GB/s. ${judgement}` : "There are only the tables of record.");
        byId("verdict").hidden = false;
    }

    const labelOf = name => about && webgpu.formOf(name, "unrolled") === "packed" ? `${name} (atomicXor)` : name;

    // ---- Sizes, shapes, loops ----
    async function sweep() {
        const sizes = [];
        try {
            for (const size of SIZES) {
                await allow(size);
                for (const name of STAGES)
                    await measure(name, "unrolled", size);
                sizes.push(size);
                showSweep(sizes);
            }
        } catch (error) {
            if (!sizes.length || lost)
                throw error;
            byId("charts").append(make("p", {className: "faint"}, `The sweep ended. ${error.message}`));
        }
    }

    function showSweep(sizes) {
        const mine = Object.fromEntries(STAGES.map(name => [name, Object.fromEntries(
            sizes.map(size => [size, measured(name, "unrolled", size)]))]));
        byId("charts").replaceChildren(chart("Here", mine), chart(`${RECORDS.device}, CUDA`, RECORDS.cuda));
        byId("sweep_table").replaceChildren(tableOf(
            ["cells along a side", ...STAGES.map(name => `${short(name)}, MLUPS`), `a step of ${short(STAGES[0])}, µs`],
            sizes.map(size => [size, ...STAGES.map(name => round(mine[name][size])),
                round(size * size / mine[STAGES[0]][size])])));
    }

    /** A plot of MLUPS, a line for each stage. speeds: name to side of the grid to MLUPS. */
    function chart(title, speeds) {
        const sides = Object.keys(speeds[STAGES[0]] ?? {}).map(Number);
        const most = Math.max(...STAGES.flatMap(name => Object.values(speeds[name] ?? {})));
        const unit = 10 ** Math.floor(Math.log10(most)), top = unit * [1, 2, 5, 10].find(n => n * unit >= most);
        const x = side => 70 + 300 * Math.log2(side / sides[0]) / Math.max(1, sides.length - 1);
        const y = mlups => 210 - 170 * mlups / top;
        const marks = [0, top / 2, top].map(mlups =>
            `<path d="M60 ${y(mlups)}H390"/><text x="56" y="${y(mlups) + 4}" text-anchor="end">${round(mlups)}</text>`);
        const ends = sides.map(side => `<text x="${x(side)}" y="228" text-anchor="middle">${side}</text>`);
        const lines = STAGES.map((name, n) => `<g class="line_${n}"><path d="M${70 + 80 * n} 24h30"/>`
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
        for (let x = 1; x <= 1024; x *= 2)
            for (let y = 1; x * y <= 1024; y *= 2)
                if (x * y >= 32 && webgpu.takes([x, y])) {
                    ranked.push([`${x} x ${y}`, await measure(name, "unrolled", size, [x, y])]);
                    ranked.sort((a, b) => b[1] - a[1]);
                    byId("shapes").replaceChildren(...ranked.flatMap(([shape, mlups]) => [make("span", {}, shape),
                        make("span", {}, make("i", {style: `width: ${100 * mlups / ranked[0][1]}%`})),
                        make("b", {}, `${round(mlups)} MLUPS`)]));
                }
    }

    async function measureLoops() {
        const size = await chosenSize(), inWgsl = RECORDS.webgpu;
        const names = STAGES.filter(name => webgpu.formOf(name, "loops") === "loops");
        for (const name of names)
            for (const form of ["unrolled", "loops"])
                await measure(name, form, size);
        const line = (one, other) => [round(one), round(other), factor(other / one)];
        byId("loops_table").replaceChildren(tableOf(["Stage", "unrolled, MLUPS", "loops, MLUPS", "ratio",
            ...inWgsl.loops ? [`${RECORDS.device}, WebGPU: unrolled, MLUPS`, "loops, MLUPS", "ratio"] : []],
        names.map(name => [name, ...line(measured(name, "unrolled", size), measured(name, "loops", size)),
            ...inWgsl.loops ? line(inWgsl.unrolled[name]?.[size], inWgsl.loops[name]?.[size]) : []])),
        make("p", {}, "A ratio far below 1 means that f[9] lies in memory. Its accesses then cost more than those to "
            + "the grid, so that no layout of the grid helps."));
    }

    // ---- The text ----
    function showText() {
        const copied = [...copies].map(([size, {f32, vec4f}]) => `# copy: ${round(vec4f / 1e9)} GB/s by vec4f, `
            + `${round(f32 / 1e9)} by f32, of as many bytes as a grid of ${square(size)} cells has`);
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
    function say(text) {
        byId("busy").textContent = `Measuring ${text} …`;
        byId("busy").hidden = false;
    }

    /** One measurement at a time. */
    async function work(action) {
        if (busy || lost)
            return;
        busy = true;
        byId("error").hidden = true;
        try {
            await action();
        } catch (error) {
            if (!lost)
                fail(error.message.split("\n")[0]);
        }
        byId("busy").hidden = true;
        busy = false;
    }

    const clockName = () => about.hasClock ? "of the GPU (timestamp-query)" : "of the page (differences of passes)";
    const mebibytes = () =>
        Math.floor(Math.min(about.limits.maxStorageBufferBindingSize, about.limits.maxBufferSize) / 2 ** 20);
    const fitting = () => SIZES.filter(size => STAGES.every(name => webgpu.fits(name, size * size)));

    function showGpu() {
        byId("size").append(...fitting().map(size => new Option(square(size), size)));
        byId("about").replaceChildren(...[
            about.isSoftware ? `${about.name}: this is no GPU, but your CPU, which imitates one. All works, but slowly.`
                : `Your GPU: ${about.name}.`,
            about.hasClock ? "The times are those of the GPU's own clock (timestamp-query)."
                : "The page can't read the GPU's clock (no timestamp-query). By its own clock it times a pass and one "
                + "of half as many steps, and takes the difference.",
            `A shader sees arrays of ${mebibytes()} MiB at most, enough for ${square(fitting().pop())} cells. `
                + `A block has ${about.limits.maxComputeInvocationsPerWorkgroup} threads at most.`,
            ...about.hasHalves ? [] : ["Shaders have no 16-bit floats here (no shader-f16), so stage 04 packs two into "
                + "a word and changes each by atomicXor, which costs time."],
        ].map(text => make("li", {}, text)));
    }

    function showCode() {
        const stage = KERNELS[byId("code").value];
        byId("pairs").replaceChildren(...stage.own.map(([cuda, wgsl]) => make("div", {className: "pair"},
            make("pre", {tabIndex: 0}, cuda), make("pre", {tabIndex: 0}, wgsl))));
        byId("shader").textContent = stage[about ? webgpu.formOf(byId("code").value, "unrolled") : "unrolled"];
    }

    function predict(event) {
        event.preventDefault();
        const fields = [...byId("factors").querySelectorAll("input")];
        predicted.push(...fields.map(field => field.valueAsNumber));
        fields.forEach(field => field.readOnly = true);
        event.submitter.remove();
        offer();
    }

    /** Once the reader has predicted, and the page knows whether there is a GPU. */
    function offer() {
        if (!predicted.length || !window.gpu)
            return;
        byId("measuring").hidden = !about;
        if (about)
            byId("measure").focus();
        else
            showStages(MOST_BY_ITSELF);
    }

    function show() {
        byId("stages").replaceChildren(tableOf(["Stage", "bytes of an update"],
            STAGES.map(name => [`${name}: ${KERNELS[name].summary}`, KERNELS[name].bytes])));
        byId("factors").replaceChildren(...STAGES.slice(1).map((_, n) => make("label", {className: "field"},
            ratioOf(n), make("input", {type: "number", min: 0.01, step: "any", required: true}))));
        for (const id of ["block_stage", "code"])
            byId(id).append(...STAGES.map(name => new Option(name)));
        byId("predict").addEventListener("submit", predict);
        byId("code").addEventListener("change", showCode);
        byId("copy").addEventListener("click", copyText);
        const actions = {measure: measureStages, sweep, rank: rankShapes, loops: measureLoops};
        for (const [id, action] of Object.entries(actions))
            byId(id).addEventListener("click", () => work(action));
        byId("block_stage").value = STAGES[1] ?? STAGES[0];
        showCode();
    }

    async function main() {
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
        offer();
    }

    main();
})();
