// Stages 01 to 04 on the reader's own GPU, for pages. The kernels are the program's, translated (KERNELS, by wgsl.py):
// here are the device, its memory and its clock. What fails throws an Error whose message is one line.
"use strict";

const webgpu = (() => {
    const WANTED = ["timestamp-query", "shader-f16"];
    const LIMITS = ["maxStorageBufferBindingSize", "maxBufferSize", "maxComputeInvocationsPerWorkgroup",
        "maxComputeWorkgroupSizeX", "maxComputeWorkgroupSizeY"];
    const ENOUGH = 0.06; // seconds that a pass takes which is timed
    const MOST_CALLS = 20000, REPEATS = 5;
    const OUTSIDE = 8, PICTURE = 9; // bindings behind those of a stage
    const COPY = kind => `
@group(0) @binding(0) var<storage, read> source: array<${kind}>;
@group(0) @binding(1) var<storage, read_write> goal: array<${kind}>;

@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let n = id.y * groups.x * 256u + id.x;
    if (n < arrayLength(&goal)) {
        goal[n] = source[n];
    }
}`;
    // Stand behind the kernels of a stage: its own get and put know where a cell's populations lie.
    const LOOK = `
@group(0) @binding(${OUTSIDE}) var<storage, read_write> outside: array<f32>; // [height][width][9]

fn site_of(id: vec3u) -> Site {
    let cells = u32(physics.width) * u32(physics.height);
    return Site(cells, id.y * u32(physics.width) + id.x, i32(id.x), i32(id.y), 0);
}

@compute @workgroup_size(64)
fn read_all(@builtin(global_invocation_id) id: vec3u) {
    let site = site_of(id);
    if (site.x >= physics.width || is_wall(cell_type(site.cell))) {
        return;
    }
    var f: array<f32, 9>;
    get_(site, &f);
    for (var i = 0u; i < 9u; i++) {
        outside[9u * site.cell + i] = f[i];
    }
}

@compute @workgroup_size(64)
fn write_all(@builtin(global_invocation_id) id: vec3u) {
    let site = site_of(id);
    if (site.x >= physics.width) {
        return;
    }
    var f: array<f32, 9>;
    for (var i = 0u; i < 9u; i++) {
        f[i] = outside[9u * site.cell + i];
    }
    put(site, &f);
}

// A wall holds zeros: where it is taken away, the fluid is at rest.
@compute @workgroup_size(64)
fn clear_walls(@builtin(global_invocation_id) id: vec3u) {
    let site = site_of(id);
    if (site.x < physics.width && is_wall(cell_type(site.cell))) {
        var f: array<f32, 9>;
        put(site, &f);
    }
}`;
    // Behind LOOK: the colours of a flow, by the rules of find_moments, gradient.c and picture.c.
    const DRAW = `
struct Picture {
    largest: f32, // what the last shade stands for
    lid: f32, // speed of a moving wall
    is_vorticity: f32,
    shades: array<vec4f>,
}
@group(0) @binding(${PICTURE}) var<storage, read> picture: Picture;

fn is_opening(cell: u32) -> bool {
    return cell_type(cell) != FLUID && !is_wall(cell_type(cell));
}

fn velocity_at(site: Site) -> vec2f {
    let kind = cell_type(site.cell);
    if (is_wall(kind)) {
        return vec2f(select(0.0, picture.lid, kind == MOVING_WALL), 0.0);
    }
    var f: array<f32, 9>;
    get_(site, &f);
    if (kind != FLUID) {
        impose_boundary(&f, kind, site.y);
    }
    let found = moments(&f);
    return vec2f(found.ux, found.uy);
}

// Velocity on one side of a cell, and how far away it is.
fn beside(site: Site, x: i32, y: i32) -> vec3f {
    let next = site_of(vec3u(u32(wrap(x, physics.width)), u32(wrap(y, physics.height)), 0u));
    let is_end = (next.x != x || next.y != y) && (is_opening(site.cell) || is_opening(next.cell));
    let distance = select(select(1.0, 0.5, is_wall(cell_type(next.cell))), 0.0, is_end);
    return vec3f(velocity_at(next), distance);
}

fn slope(a: f32, before: f32, u: f32, b: f32, after: f32) -> f32 {
    if (before == after) {
        return select(0.0, (b - a) / (before + after), before > 0.0);
    }
    if (before == 0.0 || after == 0.0) {
        return select((b - u) / after, (u - a) / before, before > 0.0);
    }
    return ((b - u) * (before / after) + (u - a) * (after / before)) / (before + after);
}

fn vorticity_at(site: Site) -> f32 {
    let u = velocity_at(site);
    let west = beside(site, site.x - 1, site.y);
    let east = beside(site, site.x + 1, site.y);
    let south = beside(site, site.x, site.y - 1);
    let north = beside(site, site.x, site.y + 1);
    return slope(west.y, west.z, u.y, east.y, east.z) - slope(south.x, south.z, u.x, north.x, north.z);
}

@vertex
fn corner(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
    return vec4f(4.0 * f32(n & 1u) - 1.0, 4.0 * f32(n >> 1u) - 1.0, 0.0, 1.0); // one triangle, larger than the canvas
}

@fragment
fn colour(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let site = site_of(vec3u(u32(at.x), u32(physics.height) - 1u - u32(at.y), 0u));
    if (is_wall(cell_type(site.cell))) {
        return vec4f(vec3f(128.0 / 255.0), 1.0);
    }
    var t: f32;
    if (picture.is_vorticity != 0.0) {
        t = 0.5 + 0.5 * vorticity_at(site) / picture.largest;
    } else {
        t = sqrt(length(velocity_at(site)) / picture.largest);
    }
    if ((bitcast<u32>(t) & 0x7f800000u) == 0x7f800000u) { // not finite
        return vec4f(1.0, 0.0, 1.0, 1.0);
    }
    return picture.shades[u32(clamp(t, 0.0, 1.0) * f32(arrayLength(&picture.shades) - 1u) + 0.5)];
}`;

    let adapter, device, clock, isLost = false;

    /** Asks for a device with all that the adapter allows. `lost` is called with one line if it is lost later. */
    async function start(lost) {
        if (!isSecureContext)
            throw new Error("WebGPU works on a page from a file, from https or from localhost: open this page so.");
        if (!navigator.gpu)
            throw new Error("This browser has no WebGPU on this system: "
                + "github.com/gpuweb/gpuweb/wiki/Implementation-Status lists the browsers that have it, and where.");
        adapter = await navigator.gpu.requestAdapter({powerPreference: "high-performance"});
        if (!adapter)
            throw new Error("The browser gives this page no GPU: its page chrome://gpu (about:support in Firefox) says why.");
        device = await adapter.requestDevice({
            requiredFeatures: WANTED.filter(name => adapter.features.has(name)),
            requiredLimits: Object.fromEntries(LIMITS.map(name => [name, adapter.limits[name]])),
        });
        device.lost.then(({message}) => {
            isLost = true;
            lost(`The GPU was lost: ${message.split("\n")[0]} Load the page again.`);
        });
        if (device.features.has("timestamp-query"))
            clock = {
                queries: device.createQuerySet({type: "timestamp", count: 2}),
                resolved: device.createBuffer({size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC}),
                read: device.createBuffer({size: 16, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ}),
            };
    }

    /** What the browser tells of the GPU; older ones tell nothing. A software adapter is the CPU. */
    function about() {
        const {vendor, architecture, device: model, description, isFallbackAdapter} = adapter.info ?? adapter;
        const name = description || [vendor, model, architecture].filter(Boolean).join(" ") || "a GPU without a name";
        const isSoftware = isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|warp/i.test(`${name} ${architecture}`);
        return {name, vendor, architecture, isSoftware, hasClock: Boolean(clock), hasHalves: hasHalves(),
            limits: device.limits};
    }

    const hasHalves = () => device.features.has("shader-f16");

    /** Calls `make`, and throws what the GPU found wrong with it, if anything. */
    async function checked(what, make) {
        device.pushErrorScope("out-of-memory");
        device.pushErrorScope("validation");
        let result, thrown;
        try {
            result = await make();
        } catch (error) {
            thrown = error;
        }
        const invalid = await device.popErrorScope(), memory = await device.popErrorScope();
        if (memory)
            throw new Error(`${what}: the GPU has too little memory for it.`);
        if (invalid || thrown)
            throw new Error(`${what}: ${(invalid || thrown).message.split("\n")[0]}`);
        return result;
    }

    const createBuffer = bytes => device.createBuffer({size: Math.ceil(bytes / 16) * 16, // zeros
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST});

    function write(buffer, data) {
        const whole = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
        whole.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
        device.queue.writeBuffer(buffer, 0, whole);
    }

    function bufferOf(data) {
        const buffer = createBuffer(data.byteLength);
        write(buffer, data);
        return buffer;
    }

    // ---- The clock ----
    /** One pass of `count` calls [pipeline, group], in turn. Seconds: by the clock of the GPU, and of the page. */
    async function pass(calls, count, groups) {
        const encoder = device.createCommandEncoder();
        const timestampWrites = clock && {querySet: clock.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1};
        encodeCalls(encoder.beginComputePass(clock ? {timestampWrites} : {}), calls, count, groups);
        if (clock) {
            encoder.resolveQuerySet(clock.queries, 0, 2, clock.resolved, 0);
            encoder.copyBufferToBuffer(clock.resolved, 0, clock.read, 0, 16);
        }
        const commands = encoder.finish();
        const begin = performance.now();
        device.queue.submit([commands]);
        await device.queue.onSubmittedWorkDone();
        const wall = (performance.now() - begin) / 1000;
        if (isLost) // the work of a lost device is done at once
            throw new Error("the GPU was lost");
        if (!clock)
            return {gpu: wall, wall};
        await clock.read.mapAsync(GPUMapMode.READ);
        const [from, to] = new BigUint64Array(clock.read.getMappedRange());
        clock.read.unmap();
        return {gpu: Number(to - from) / 1e9, wall};
    }

    function encodeCalls(encoded, calls, count, groups) {
        for (let n = 0; n < count; n++) {
            const [pipeline, group] = calls[n % calls.length];
            encoded.setPipeline(pipeline);
            encoded.setBindGroup(0, group);
            encoded.dispatchWorkgroups(...groups);
        }
        encoded.end();
    }

    /**
     * Seconds of one call: the least of some passes, each long enough. The passes before it warm up: the driver
     * compiles, memory is cleared, clocks rise. Without a clock of the GPU it is the difference between a pass and one
     * of half as many calls, so that what a pass takes besides drops out. A GPU may reset its clock during a pass: then
     * the pass does not count.
     */
    async function timed(calls, groups) {
        let count = 2;
        await pass(calls, count, groups);
        const latency = (await pass(calls, count, groups)).wall; // until the page hears of the end
        while ((await pass(calls, count, groups)).wall - latency < ENOUGH && count < MOST_CALLS)
            count *= 2;
        let gpu = Infinity, whole = Infinity, half = Infinity;
        for (let n = 0; n < REPEATS; n++) {
            const took = await pass(calls, count, groups);
            gpu = took.gpu > 0 ? Math.min(gpu, took.gpu) : gpu;
            whole = Math.min(whole, took.wall);
            if (!clock)
                half = Math.min(half, (await pass(calls, count / 2, groups)).wall);
        }
        const seconds = clock ? gpu / count : (whole - half) / (count / 2);
        if (!(seconds > 0 && seconds < Infinity))
            throw new Error("the clock doesn't move. Close other pages, and measure again.");
        return seconds;
    }

    /** Bytes read and written in a second by a copy of so many bytes: as floats, and as vectors of four. */
    async function copySpeeds(bytes) {
        const what = `a copy of ${bytes} bytes`, size = Math.floor(bytes / 16) * 16, found = {};
        const buffers = await checked(what, () => [createBuffer(size), createBuffer(size)]);
        try {
            for (const [kind, width] of [["f32", 4], ["vec4f", 16]]) {
                const module = device.createShaderModule({code: COPY(kind)});
                const pipeline = await device.createComputePipelineAsync({layout: "auto",
                    compute: {module, entryPoint: "copy"}});
                const blocks = Math.ceil(size / width / 256), wide = Math.min(blocks, 32768);
                const calls = [buffers, [...buffers].reverse()].map(order => [pipeline, device.createBindGroup({
                    layout: pipeline.getBindGroupLayout(0),
                    entries: order.map((buffer, binding) => ({binding, resource: {buffer}}))})]);
                found[kind] = 2 * size / await checked(what, () => timed(calls, [wide, Math.ceil(blocks / wide)]));
            }
        } finally {
            buffers.forEach(buffer => buffer.destroy());
        }
        return found;
    }

    // ---- A stage ----
    /** The form in which this GPU runs a stage: unrolled, loops, or packed, where it lacks 16-bit floats. */
    const formOf = (name, form) => KERNELS[name].packed && !hasHalves() ? "packed" : form;

    const bytesOfGrid = (name, cells) => Math.ceil(9 * cells * KERNELS[name].width / 16) * 16;

    /** Whether a grid of so many cells fits into what the GPU lets a kernel see, and in 32 bits of a cell's number. */
    const fits = (name, cells) => bytesOfGrid(name, cells) <= Math.min(device.limits.maxStorageBufferBindingSize,
        device.limits.maxBufferSize);

    /** Whether the GPU runs blocks of this shape. */
    const takes = ([x, y]) => x * y <= device.limits.maxComputeInvocationsPerWorkgroup
        && x <= device.limits.maxComputeWorkgroupSizeX && y <= device.limits.maxComputeWorkgroupSizeY;

    /** A flow that one stage computes. It is looked at after an even number of steps. */
    class Flow {
        lookers = {}; // pipelines, by entry point

        /** scenario: width, height, physics (as in memory), types [height][width], f: [height][width][9] or null, at rest. */
        static async begin(name, form, block, scenario) {
            const flow = new Flow();
            const {width, height} = scenario, stage = KERNELS[name];
            flow.what = `${name} on ${width} x ${height} cells`;
            flow.code = stage[formOf(name, form)];
            flow.width = width;
            flow.height = height;
            flow.groups = [Math.ceil(width / block[0]), Math.ceil(height / block[1])];
            flow.steps = 0;
            await checked(flow.what, async () => {
                flow.physics = bufferOf(scenario.physics);
                flow.types = bufferOf(scenario.types);
                flow.grids = Array.from({length: stage.grids}, () => createBuffer(bytesOfGrid(name, width * height)));
                flow.module = device.createShaderModule({code: flow.code + LOOK});
                flow.layout = flow.layoutOf(GPUShaderStage.COMPUTE, []);
                const steps = await Promise.all(stage.kernels.map(entryPoint =>
                    flow.pipelineOf(flow.layout, entryPoint, {block_x: block[0], block_y: block[1]})));
                const orders = [flow.grids, [...flow.grids].reverse()];
                flow.calls = orders.map((grids, n) => [steps[n % steps.length], flow.groupOf(flow.layout, grids, [])]);
            }).catch(error => {
                [flow.physics, flow.types, ...flow.grids ?? []].forEach(buffer => buffer?.destroy());
                throw error;
            });
            if (scenario.f)
                await flow.write(scenario.f);
            return flow;
        }

        /** Of physics, types and grids, and what `more` has: [binding, kind of buffer]. */
        layoutOf(visibility, more) {
            const grids = this.grids.map((_, n) => [2 + n, n < this.grids.length - 1 ? "read-only-storage" : "storage"]);
            return device.createBindGroupLayout({entries: [[0, "read-only-storage"], [1, "read-only-storage"], ...grids,
                ...more].map(([binding, type]) => ({binding, visibility, buffer: {type}}))});
        }

        groupOf(layout, grids, more) {
            return device.createBindGroup({layout, entries: [[0, this.physics], [1, this.types],
                ...grids.map((buffer, n) => [2 + n, buffer]), ...more].map(([binding, buffer]) => ({binding,
                resource: {buffer}}))});
        }

        pipelineOf(layout, entryPoint, constants = {}) {
            return device.createComputePipelineAsync({layout: device.createPipelineLayout({bindGroupLayouts: [layout]}),
                compute: {module: this.module, entryPoint, constants}});
        }

        /** Makes steps, an even number; returns what `pass` does. */
        advance(steps) {
            this.steps += steps;
            return pass(this.calls, steps, this.groups);
        }

        /** Seconds of a step. */
        async time() {
            return checked(this.what, () => timed(this.calls, this.groups));
        }

        /** Calls a kernel of LOOK for all cells; `more` are buffers besides those of the stage: [binding, buffer]. */
        look(entryPoint, grids, more) {
            return checked(this.what, async () => {
                const layout = this.layoutOf(GPUShaderStage.COMPUTE, more.map(([binding]) => [binding, "storage"]));
                const pipeline = this.lookers[entryPoint] ??= await this.pipelineOf(layout, entryPoint);
                const encoder = device.createCommandEncoder();
                encodeCalls(encoder.beginComputePass(), [[pipeline, this.groupOf(layout, grids, more)]], 1,
                    [Math.ceil(this.width / 64), this.height]);
                device.queue.submit([encoder.finish()]);
            });
        }

        /** The same for a kernel that puts: it writes to the last grid, and the flow is in the first one. */
        put(entryPoint, more) {
            return this.look(entryPoint, [...this.grids].reverse(), more);
        }

        async write(f) {
            const outside = bufferOf(f);
            await this.put("write_all", [[OUTSIDE, outside]]);
            outside.destroy();
            await this.put("clear_walls", []);
        }

        /** The flow goes on with other walls and parameters. */
        async change(physics, types) {
            write(this.physics, physics);
            write(this.types, types);
            await this.put("clear_walls", []);
        }

        /** Populations [height][width][9]; a wall has zeros. */
        async read() {
            const size = 36 * this.width * this.height, outside = createBuffer(size);
            const to = device.createBuffer({size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ});
            await this.look("read_all", this.grids, [[OUTSIDE, outside]]);
            const encoder = device.createCommandEncoder();
            encoder.copyBufferToBuffer(outside, 0, to, 0, size);
            device.queue.submit([encoder.finish()]);
            await to.mapAsync(GPUMapMode.READ);
            const f = new Float32Array(to.getMappedRange().slice(0));
            outside.destroy();
            to.destroy();
            return f;
        }

        /** Prepares pictures on a canvas, of so many shades. */
        async beginPictures(canvas, shades) {
            const format = navigator.gpu.getPreferredCanvasFormat();
            this.context = canvas.getContext("webgpu");
            this.context.configure({device, format});
            await checked(this.what, async () => {
                this.picture = createBuffer(16 * (1 + shades));
                const module = device.createShaderModule({code: this.code + LOOK + DRAW});
                const layout = this.layoutOf(GPUShaderStage.FRAGMENT, [[PICTURE, "read-only-storage"]]);
                this.painter = await device.createRenderPipelineAsync({
                    layout: device.createPipelineLayout({bindGroupLayouts: [layout]}), vertex: {module, entryPoint: "corner"},
                    fragment: {module, entryPoint: "colour", targets: [{format}]}});
                this.seen = this.groupOf(layout, this.grids, [[PICTURE, this.picture]]);
            });
        }

        /** Draws the flow, straight from its populations. picture: floats, as the structure Picture. */
        draw(picture) {
            write(this.picture, picture);
            const encoder = device.createCommandEncoder(), view = this.context.getCurrentTexture().createView();
            const drawn = encoder.beginRenderPass({colorAttachments: [{view, loadOp: "clear", storeOp: "store"}]});
            drawn.setPipeline(this.painter);
            drawn.setBindGroup(0, this.seen);
            drawn.draw(3);
            drawn.end();
            device.queue.submit([encoder.finish()]);
        }

        destroy() {
            [this.physics, this.types, ...this.grids, this.picture].forEach(buffer => buffer?.destroy());
        }
    }

    return {start, about, copySpeeds, formOf, fits, takes, Flow, device: () => device};
})();
