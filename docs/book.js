// Of every page: the switch between the lean and the full path, the sections that the lean path folds, and the search.
// Without this script a page shows all its sections.
"use strict";

(() => {
    const KEY = "lbm-stages path";
    const SHOWN = 25; // results of a search
    const root = document.documentElement;

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    // ---- The path ----
    let path = "lean"; // where the browser keeps nothing, for this page alone
    try {
        path = localStorage.getItem(KEY) === "full" ? "full" : "lean";
    } catch { /* refused */ }
    root.classList.toggle("lean", path === "lean"); // before anything is drawn

    function openTarget() {
        const target = document.getElementById(location.hash.slice(1));
        for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details"))
            fold.open = true;
        target?.scrollIntoView();
    }

    function follow(chosen) {
        path = chosen;
        root.classList.toggle("lean", path === "lean");
        document.querySelectorAll("details.more").forEach(fold => fold.open = path === "full");
        document.querySelectorAll("#switch button").forEach(button => button.ariaPressed = button.value === path);
        openTarget();
    }

    function choose({target}) {
        try {
            localStorage.setItem(KEY, target.value);
        } catch { /* refused */ }
        const seen = [...document.querySelectorAll(".contents h1, .contents h2")].find(
            heading => heading.getBoundingClientRect().bottom > 0);
        const before = seen?.getBoundingClientRect().top;
        follow(target.value);
        if (seen && !location.hash)
            scrollBy(0, seen.getBoundingClientRect().top - before); // what the reader sees stays where it is
    }

    function addSwitch(tools) {
        const button = (value, title) => make("button", {type: "button", value, title, onclick: choose}, value);
        const both = make("span", {id: "switch", role: "group", ariaLabel: "The path through the book"},
            button("lean", "Eleven hours: the sections marked \u25cf, the others folded"),
            button("full", "All sections, in the order of the pages"));
        tools.append(both);
    }

    // ---- The search ----
    const count = (text, word) => text.split(word).length - 1;

    function rank(words, phrase, title, heading, text, names) {
        const [inTitle, inHeading, inText, inNames] = [title, heading, text, names].map(part => part.toLowerCase());
        if (!words.every(word => [inTitle, inHeading, inText, inNames].some(part => part.includes(word))))
            return 0;
        const value = words.reduce((sum, word) => sum + 8 * inTitle.includes(word) + 8 * inHeading.includes(word)
            + Math.min(4, count(inText, word)), 1) + 4 * Math.min(4, count(inText, phrase))
            + 60 * ` ${inNames}`.includes(" " + phrase) + 60 * (names !== "" && inHeading === phrase);
        return title.endsWith(" Reference") ? value / 4 : value; // of code
    }

    function excerpt(text, words, phrase) {
        const lower = text.toLowerCase();
        const at = Math.max(0, lower.includes(phrase) ? lower.indexOf(phrase) : lower.indexOf(words[0]));
        const begin = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
        const end = text.indexOf(" ", at + 120);
        return text.slice(begin, end < 0 ? undefined : end);
    }

    function marked(text, words) {
        const escaped = words.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
        const pieces = text.split(new RegExp(`(${escaped})`, "iu"));
        return pieces.map((piece, n) => n % 2 ? make("mark", {}, piece) : piece);
    }

    function search(typed) {
        const phrase = typed.trim().toLowerCase();
        const words = phrase.split(/\s+/);
        const found = [];
        for (const [file, title, sections] of phrase.length < 2 ? [] : window.searched)
            for (const [anchor, heading, text, names = ""] of sections) {
                const value = rank(words, phrase, title, heading, text, names);
                if (value)
                    found.push({value, href: anchor ? `${file}#${anchor}` : file,
                        head: [title, names || heading].filter(Boolean).join(": "),
                        text: names ? text : excerpt(text, words, phrase)});
            }
        found.sort((a, b) => b.value - a.value);
        return [found.length, found.slice(0, SHOWN).map(({href, head, text}) =>
            make("li", {}, make("a", {href}, head), make("p", {}, ...marked(text, words))))];
    }

    function addSearch(tools) {
        const results = make("ol");
        const said = make("p", {role: "status"});
        const panel = make("div", {id: "found", hidden: true}, said, results);
        const field = make("input", {id: "search", type: "search", placeholder: "Search", ariaLabel: "Search the book",
            autocomplete: "off"});

        function show() {
            panel.hidden = field.value.trim().length < 2;
            if (panel.hidden || !window.searched)
                return;
            const [many, links] = search(field.value);
            said.textContent = many === 1 ? "1 section" : `${many} sections` + (many > SHOWN ? `, the first ${SHOWN}` : "");
            results.replaceChildren(...links);
        }

        field.addEventListener("focus", () => {
            if (!document.querySelector("script[src='search.js']")) // two megabytes, for those who search
                document.head.append(make("script", {src: "search.js", onload: show}));
        });
        field.addEventListener("input", show);
        tools.addEventListener("keydown", ({key}) => {
            if (key === "Escape")
                panel.hidden = true;
            if (key === "Enter" && document.activeElement === field)
                results.querySelector("a")?.click();
        });
        panel.addEventListener("click", ({target}) => panel.hidden = target.closest("a") !== null);
        document.addEventListener("pointerdown", ({target}) => panel.hidden ||= !tools.contains(target));
        tools.append(field, panel);
    }

    addEventListener("DOMContentLoaded", () => {
        const tools = document.getElementById("tools");
        addSearch(tools);
        addSwitch(tools);
        root.classList.add("ready");
        follow(path);
        const book = document.getElementById("book");
        book.scrollTop = (book.querySelector("[aria-current]")?.offsetTop ?? 0) - book.clientHeight / 2;
    });
    addEventListener("hashchange", openTarget);
    addEventListener("storage", ({key, newValue}) => key === KEY && follow(newValue)); // another tab
})();
