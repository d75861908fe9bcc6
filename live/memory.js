// The page memory.html. Its pictures and numbers are what `lbm traffic` wrote when the page was built (requests.py).
"use strict";

(() => {
    const byId = id => document.getElementById(id);
    let recorded, stage, block, line; // of what was recorded: all, a stage, one of its blocks, one of its lines

    function fail(text) {
        byId("error").textContent = text;
        byId("error").hidden = false;
    }

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    async function unpack() {
        if (typeof DecompressionStream === "undefined")
            throw new Error("it needs DecompressionStream: Chrome 80, Firefox 113 or Safari 16.4, or later");
        const packed = Uint8Array.from(atob(REQUESTS), letter => letter.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
        return new Response(stream).json();
    }

    const placeOf = row => `${row.file}:${row.line}`;

    // ---- The choice ----
    function chooseStage() {
        stage = recorded.stages[byId("stage").value];
        byId("summary").textContent = `${stage.name}: ${stage.summary}`;
        chooseBlock();
    }

    /** Stays at the line with that code where there is one; else goes to the one with most sectors. */
    function chooseBlock() {
        block = stage.blocks[byId("block").value];
        const most = block.lines.reduce((a, b) => Math.max(...b.cost) > Math.max(...a.cost) ? b : a);
        line = block.lines.find(other => other.where === line?.where) ?? most;
        byId("lines").replaceChildren(...block.lines.map((other, n) => make("label", {},
            make("input", {type: "radio", name: "line", value: n, checked: other === line}),
            make("span", {className: "where"}, other.where), make("code", {}, other.code))));
        showLine();
    }

    function showLine() {
        const asks = byId("ask").checked;
        byId("guess").value = "";
        byId("predict").hidden = !asks;
        byId("verdict").hidden = true;
        byId("picture").replaceChildren();
        byId("sums").replaceChildren();
        if (!asks)
            showAnswer();
    }

    // ---- The answer ----
    function answer(event) {
        event.preventDefault();
        const guess = byId("guess").valueAsNumber;
        const right = line.cost.includes(guess);
        byId("verdict").textContent = `You predicted ${guess}. `
            + (right ? "That is what the program counted." : `The program counted ${line.cost.join(" and ")}.`);
        byId("verdict").hidden = false;
        byId("predict").hidden = true;
        showAnswer();
    }

    function showAnswer() {
        const words = new DOMParser().parseFromString(line.svg, "image/svg+xml").querySelectorAll("text[x='10']");
        byId("picture").replaceChildren(make("img", {
            src: "data:image/svg+xml," + encodeURIComponent(line.svg),
            alt: [...words].map(word => word.textContent).join("; "),
        }));
        byId("sums").replaceChildren(tableOf(block.rows.filter(row => placeOf(row) === line.where || !row.file)));
    }

    function tableOf(rows) {
        const head = ["kernel", "access", "requests", "sectors/request", "bytes used %", "L1 hits %"];
        const cells = row => {
            const size = row.bytes_each === "1" ? "1 byte" : `${row.bytes_each} bytes`;
            const what = row.file ? `this line: ${row.access} of ${size}` : `all: ${row.access}`;
            return [row.kernel, what, row.requests, (row.sectors / row.requests).toFixed(2),
                (100 * row.bytes_used / (32 * row.sectors)).toFixed(1),
                row.access === "load" ? (100 * row.l1_hits / row.sectors).toFixed(1) : "–"];
        };
        return make("table", {}, make("thead", {}, make("tr", {}, ...head.map(text => make("th", {}, text)))),
            make("tbody", {}, ...rows.filter(row => Number(row.requests)).map(row =>
                make("tr", {className: row.file ? "now" : ""}, ...cells(row).map(text => make("td", {}, text))))));
    }

    async function main() {
        recorded = await unpack();
        byId("size").textContent = recorded.size.replace("x", " x ");
        byId("stage").replaceChildren(...recorded.stages.map(({name}, n) => new Option(name, n)));
        byId("block").replaceChildren(
            ...recorded.stages[0].blocks.map((one, n) => new Option(one.block.replace("x", " x "), n)));
        byId("stage").addEventListener("change", chooseStage);
        byId("block").addEventListener("change", chooseBlock);
        byId("ask").addEventListener("change", showLine);
        byId("lines").addEventListener("change", event => {
            line = block.lines[event.target.value];
            showLine();
        });
        byId("predict").addEventListener("submit", answer);
        byId("main").hidden = false;
        chooseStage();
    }

    main().catch(error => fail(`This page cannot show its tables: ${error.message ?? error}.`));
})();
