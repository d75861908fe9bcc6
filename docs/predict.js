// Predictions of the reader: a field in front of each folded answer, in the answer a choice whether the prediction was right,
// and on the page "Your predictions" a list of all. They stay in this browser. docs/tools/prepare.py gives each answer its question and the key of the prediction.
"use strict";

(() => {
    const PREFIX = "lbm-stages prediction ";
    const PLACE = /^\w+(\.html)? question_[0-9a-f]{12}$/; // what follows it: the page and the anchor of a question
    const UNSAFE = /href|mmlToken/; // in a formula that MathJax would make a link of
    const REFUSED = "Your browser does not let this page keep predictions: they are lost when you leave the page.";
    const page = location.pathname.split("/").pop();
    const MARKS = ["right", "wrong"]; // that the reader gives
    const unkept = new Map(); // what this page alone remembers, by key
    let refused = false;

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    const status = () => make("p", {className: "refused", role: "status", hidden: true});

    const owned = (who, mark) => make("b", {}, `${who} prediction${mark ? ` (${mark})` : ""}: `);

    // ---- What the browser keeps: under the page and the key of a question, its prediction, how to list it, and its mark ----
    function withStorage(action) {
        try {
            return action(window.localStorage);
        } catch { // even to name it may be refused
            refused = true;
            return undefined;
        }
    }

    function parse(text) {
        try {
            const entry = JSON.parse(text);
            return entry && typeof entry.prediction === "string" ? entry : null;
        } catch {
            return null;
        }
    }

    function load(key) {
        return unkept.get(key) ?? parse(withStorage(storage => storage.getItem(key)) ?? "");
    }

    function save(key, entry) {
        unkept.set(key, entry);
        withStorage(storage => {
            if (entry.prediction.trim())
                storage.setItem(key, JSON.stringify(entry));
            else
                storage.removeItem(key);
            unkept.delete(key);
        });
    }

    const isKey = key => key.startsWith(PREFIX) && PLACE.test(key.slice(PREFIX.length));
    const keys = () => withStorage(storage => Object.keys(storage).filter(isKey)) ?? [];

    // ---- A question: the field, and the prediction inside the answer ----
    function addField(answer) {
        const {anchor, question, place} = answer.dataset;
        const key = `${PREFIX}${page} ${anchor}`;
        const field = make("textarea", {id: "field_" + anchor, rows: 2, maxLength: 2000, autocomplete: "off"});
        const line = status();
        const text = make("span");
        const choices = MARKS.map(mark => make("input", {
            type: "radio", name: "mark_" + anchor, value: mark, onchange: () => save(key, {...load(key), mark}),
        }));
        const beside = make("div", {className: "predicted tex2jax_ignore"}, owned("Your"), text,
            make("div", {className: "mark", role: "radiogroup"}, "Every part right (a measured number within a tenth)?",
                ...choices.map(choice => make("label", {}, choice, choice.value))));

        function show() {
            text.textContent = field.value.trim();
            choices.forEach(choice => choice.checked = choice.value === load(key)?.mark);
            beside.hidden = !text.textContent;
            line.hidden = !unkept.has(key);
            line.textContent = unkept.has(key) ? REFUSED : "";
        }

        field.addEventListener("input", () => {
            save(key, { // without a mark: it was that of another prediction
                prediction: field.value, question, place: Number(place),
                title: document.querySelector(".title").textContent,
            });
            show();
        });
        answer.before(make("div", {className: "predict"}, make("label", {htmlFor: field.id}, "Your prediction"),
            make("a", {href: "predictions.html"}, "All predictions"), field, line));
        answer.querySelector("summary").after(beside);
        return () => {
            if (field !== document.activeElement) // the reader may be typing
                field.value = load(key)?.prediction ?? "";
            show();
        };
    }

    // ---- The list ----
    function scores(entries) {
        const titles = [...new Set(entries.map(({title}) => title))];
        const row = (cell, name, numbers) =>
            make("tr", {}, make(cell, {}, name), ...numbers.map(number => make(cell, {className: "number"}, number)));
        const score = (name, of) => row("td", name,
            [of.length, ...MARKS.map(mark => of.filter(entry => entry.mark === mark).length)]);
        return make("table", {className: "record tex2jax_ignore"}, row("th", "", ["predictions", ...MARKS]),
            ...titles.map(title => score(title, entries.filter(entry => entry.title === title))),
            score("All", entries));
    }

    function fillList(list) {
        const entries = keys().map(key => ({key, ...parse(withStorage(storage => storage.getItem(key)) ?? "")}))
            .filter(entry => entry.prediction).sort((a, b) => a.place - b.place);
        const line = status();
        const text = make("textarea", {rows: 8, readOnly: true, hidden: true, ariaLabel: "All predictions as text"});

        function say(words) {
            line.hidden = false;
            line.textContent = words;
        }

        async function copy() {
            text.value = entries.map(({title, question, prediction, mark}) =>
                `${title}\n${question}\n${owned("My", mark).textContent}${prediction.trim()}\n`).join("\n");
            try {
                await navigator.clipboard.writeText(text.value);
                say("Copied.");
            } catch {
                text.hidden = false;
                text.select();
                say("Your browser does not let this page copy: copy the selected text yourself.");
            }
        }

        function clear() {
            const many = entries.length === 1 ? "your prediction" : `all ${entries.length} predictions`;
            if (!confirm(`Delete ${many}? You cannot get them back.`))
                return;
            entries.forEach(({key}) => withStorage(storage => storage.removeItem(key)));
            fillList(list);
            list.focus();
        }

        list.replaceChildren(line, text);
        list.tabIndex = -1; // where the focus goes when the buttons are gone
        if (entries.length)
            line.before(make("div", {className: "predict_buttons"},
                make("button", {type: "button", onclick: copy}, "Copy as text"),
                make("button", {type: "button", onclick: clear}, "Delete all")));
        else if (refused)
            say(REFUSED);
        else
            say("There is no prediction yet." + (location.protocol !== "file:" ? "" : " If you did type some, your "
                + "browser keeps those of each file apart: start \"python3 -m http.server\" in the folder of the HTML "
                + "book, and read the book at http://localhost:8000."));
        if (entries.length)
            list.append(scores(entries));
        let title;
        for (const entry of entries) {
            const [file, anchor] = entry.key.slice(PREFIX.length).split(" ");
            if (entry.title !== title)
                list.append(make("h2", {className: "tex2jax_ignore"}, title = entry.title));
            list.append(
                make("p", {className: UNSAFE.test(entry.question) ? "tex2jax_ignore" : ""}, entry.question + " ",
                    make("a", {href: `${file}#${anchor}`}, "Go to the question")),
                make("div", {className: "predicted tex2jax_ignore"}, owned("Your", entry.mark),
                    make("span", {}, entry.prediction.trim())));
        }
        window.MathJax?.Hub?.Queue(["Typeset", window.MathJax.Hub, list]);
    }

    const refresh = [...document.querySelectorAll("details.answer")].map(addField);
    const list = document.getElementById("predictions");
    if (list)
        refresh.push(() => fillList(list));
    const refreshAll = () => refresh.forEach(action => action());
    refreshAll();
    addEventListener("storage", ({key}) => (key === null || isKey(key)) && refreshAll()); // another tab
    addEventListener("pageshow", event => event.persisted && refreshAll()); // back to a page that the browser had kept
})();
