"""Usage: book_paths.py SOURCE HTML. In Chromium, where there is one: a reader who follows "next" alone on the lean path,
from the first page on, meets each marked section once, each exercise before the section that shows its answer, and the
last page; the switch opens what the path folds, and stays; a link into a folded section opens it; the search finds each
term of the glossary first, with its meaning; and without JavaScript a page shows all its sections.
"""

import os
import re
import sys

import browser

# What a reader sees from the place to which the link led up to the next "next": sections, links to exercises at which to
# stop, and that "next".
READ = """(() => {
    const from = document.getElementById(location.hash.slice(1)) ?? document.querySelector('.title');
    const read = [];
    for (const found of document.querySelectorAll('.contents .anchor, blockquote a, .turn:not(.head) a.next')) {
        const behind = found === from || from.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING;
        if (behind && found.checkVisibility())
            read.push(found.href || found.id);
        if (behind && found.className === 'next' && found.checkVisibility())
            break;
    }
    return read;
})()"""
HIDDEN = "[...document.querySelectorAll('details.more')].filter(fold => !fold.open).length"
CHOOSE = "document.querySelector('#switch [value={}]').click()"
SEARCH = """(async () => {
    const field = document.getElementById('search'), firsts = [];
    field.focus();
    while (!window.searched)
        await new Promise(resolve => setTimeout(resolve, 20));
    for (const term of %s) {
        field.value = term;
        document.querySelector('#found ol').replaceChildren(); // an error leaves what was found before
        field.dispatchEvent(new Event('input'));
        const first = document.querySelector('#found li');
        firsts.push([first?.querySelector('a').getAttribute('href'), first?.querySelector('p').textContent]);
    }
    return firsts;
})()"""


def check(right, message):
    if not right:
        sys.exit(f"wrong: {message}")


def walk(chromium, root):
    """What the reader meets, each as page.html or page.html#section; of a link to an exercise: its page behind "> "."""
    met, next_page = [], root + "index.html"
    while next_page and len(met) < 1000:
        page = next_page.removeprefix(root).partition("#")[0]
        met.append(page)
        chromium.go(next_page)
        *read, last = ["", *chromium.run(READ)]
        links = [part for part in read if part.startswith("file:")]
        met += [f"{page}#{part}" if part not in links else "> " + part.removeprefix(root) for part in read if part]
        next_page = last if last.startswith("file:") else ""
    return met


def check_path(met):
    import sources
    pages = {page.file: page for page in sources.list_pages()}
    steps = sources.lean_path()
    check([place for place in met if place[0] != ">" and "#" not in place] == [pages[step.file].address() for step in steps],
          "next does not lead along the lean path")
    for file in dict.fromkeys(step.file for step in steps):
        address = pages[file].address()
        headings = {f"{address}#{heading.anchor}": heading for heading in sources.headings(sources.read_lines(file)).values()}
        marked = [place for place, heading in headings.items() if heading.lean]
        seen = [place for place in met if place in headings]
        check(seen == marked or not marked, f"of {file} the lean path shows {seen}, and not {marked}")
    answers = 0
    for page in pages.values():
        anchor = page.chapter and sources.behind_stop(page.chapter, page.file)
        answer = anchor and f"{pages[page.chapter].address()}#{anchor}"
        if answer in met:
            answers += 1
            place = page.address() if page.address() in met else "> " + page.address()
            check(place in met and met.index(place) < met.index(answer), f"{answer} comes before {page.file}")
    check(answers >= 10, f"{answers} exercises are on the way")


def check_switch(chromium, root):
    page = root + "walkthrough_03_aa.html"
    chromium.go(page)
    folded = chromium.run(HIDDEN)
    check(folded > 3, f"the lean path folds {folded} sections")
    chromium.run(CHOOSE.format("full"))
    check(chromium.run(HIDDEN) == 0, "the full path folds sections")
    chromium.go(page)
    check(chromium.run(HIDDEN) == 0, "a reload loses the choice")
    chromium.run(CHOOSE.format("lean"))
    chromium.go(page + "#pitfalls")
    check(chromium.run(HIDDEN) == folded - 1, "a link into a folded section does not open it")
    check(-1 < chromium.run("document.getElementById('pitfalls').getBoundingClientRect().top") < 300, "nor lead there")


def check_search(chromium, html):
    with open("docs/glossary.md", encoding="utf-8") as file:
        entries = re.findall(r"(?m)^\| (\w[^|]*) \| ([\w ,]+\w)", file.read())[1:]
    with open(html + "/glossary.html", encoding="utf-8") as file:
        anchors = {term: anchor for anchor, term in re.findall(r'id="([^"]+)"></a>(.*?) *</td>', file.read())}
    found = chromium.run(SEARCH % [term for term, _ in entries])
    for (term, meaning), (link, text) in zip(entries, found):
        check(link == f"glossary.html#{anchors[term]}", f"{term} leads to {link}")
        check(text.startswith(meaning), f'of {term} the search says "{text}"')
    return len(entries)


def main(source, html):
    sys.path.insert(0, source + "/docs/tools")
    root = "file://" + os.path.abspath(html) + "/"
    os.chdir(source)
    with browser.started() as chromium:
        met = walk(chromium, root)
        check_path(met)
        check_switch(chromium, root)
        terms = check_search(chromium, html)
        chromium.send("Emulation.setScriptExecutionDisabled", value=True)
        chromium.go(root + "walkthrough_03_aa.html")
        chromium.send("Emulation.setScriptExecutionDisabled", value=False)
        check(chromium.run(HIDDEN) == 0, "without JavaScript a section is folded")
    print(f"{len(met)} pages and sections on the lean path, {terms} terms")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: book_paths.py SOURCE HTML")
    main(*map(os.path.abspath, sys.argv[1:]))
