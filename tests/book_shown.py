"""Usage: book_shown.py SOURCE HTML LBM. What a reader is to see: each SVG of the sources, of the book and of the program
LBM is XML; no page of the book shows Markdown's stars and backquotes; and in Chromium, where there is one, each page
draws all its pictures.
"""

import glob
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import browser

DRAWN = (  # by the program, where it can draw
    "run 00_cpu_aos bodies --size 40x20 --re 10 --steps 9 --circle 9,9,3 --probe 20,9 --plot run.svg",
    "converge 00_cpu_aos poiseuille --plot converge.svg",
    "traffic 01_naive_gpu --svg traffic.svg",
)
MARKDOWN = re.compile(r"(?<![\w*])(\*\*?)(?=[^\s*])[^*]{0,200}(?<=[^\s*])\1(?![\w*])|`")
FORMULA = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]", re.S)
CODE = {"pre", "code", "script", "style", "title", "fragment", "line", "tt"}
EMPTY = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
UNSEEN = """(async () => {
    document.querySelectorAll('details').forEach(fold => { fold.open = true; });
    const images = [...document.images].map(image => image.decode().then(() => image.naturalWidth > 0 || image.src,
                                                                         () => image.src));
    const frames = [...document.querySelectorAll('object, embed, iframe:not([src^=javascript])')].map(
        frame => frame.contentDocument?.documentElement.tagName == 'svg' || frame.src || frame.data);
    return [...await Promise.all(images), ...frames].filter(found => found !== true);
})()"""


class Text(html.parser.HTMLParser):
    """The text of a page, with a mark for each piece of code."""

    def __init__(self):
        super().__init__()
        self.text = ""
        self.inside = []  # tags, and whether each is of code

    def handle_starttag(self, tag, attributes):
        if tag not in EMPTY:
            self.inside.append((tag, bool({tag, dict(attributes).get("class")} & CODE)))

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, data):
        self.text += "\x01" if any(code for _, code in self.inside) else data


def broken_svg(source, book, lbm):
    with tempfile.TemporaryDirectory() as folder:
        for line in DRAWN:
            call = subprocess.run([lbm, *line.split()], cwd=folder, capture_output=True, text=True)
            if call.returncode and not re.search("lacks|gcc", call.stderr):
                yield f"lbm {line}: {call.stderr}"
        for path in [*glob.glob(source + "/docs/figures/*.svg"), *glob.glob(book + "/*.svg"), *glob.glob(folder + "/*.svg")]:
            try:
                xml.etree.ElementTree.parse(path)
            except xml.etree.ElementTree.ParseError as error:
                yield f"{path}: {error}"


def markdown(book, pages):
    for page in pages:
        text = Text()
        with open(f"{book}/{page}", encoding="utf-8") as file:
            text.feed(file.read())
        for found in MARKDOWN.finditer(FORMULA.sub("\x01", text.text)):
            yield f"{page} shows Markdown: {found.string[found.start() - 20 : found.end() + 20]!r}"


def undrawn(book, pages):
    with browser.started() as chromium:
        for page in pages:
            chromium.go(f"file://{os.path.abspath(book)}/{page}")
            for image in chromium.run(UNSEEN):
                yield f"{page} does not draw {os.path.basename(image)}"


def main(source, book, lbm):
    with open(os.path.dirname(book) + "/input/list", encoding="utf-8") as file:
        pages = [line.split("\t")[1].replace("mainpage", "index") + ".html" for line in file]
    complaints = [*broken_svg(source, book, lbm), *markdown(book, pages)]
    sys.exit("\n".join(complaints or undrawn(book, pages)) or 0)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: book_shown.py SOURCE HTML LBM")
    main(*sys.argv[1:])
