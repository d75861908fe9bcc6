"""Usage: finish.py MATHJAX INPUT HTML [LIVE]. Adds to what Doxygen wrote the figures and the sidebar, both of the folder
INPUT, the index of the search, the parts of MathJax 2 that the formulas use, 3 MB of its 50, and the pages that compute,
of the folder LIVE, with a link to the book; and takes the folder of the chapters out of the list of the API's files.
"""

import html
import html.parser
import json
import pathlib
import re
import shutil
import sys

MATHJAX_PARTS = ("MathJax.js", "config/local", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/*.js",
                 "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX", "localization/en")
NO_TEXT = re.compile(  # what the search passes over: answers, which a reader is to predict, code, and links
    r'<details class="answer".*?</details>|<div class="fragment">.*?</div><!-- fragment -->|<pre.*?</pre>|'
    r'<div class="turn.*?</div>|<nav.*?</nav>|<(script|style).*?</\1>', re.S)
ENTRY = re.compile(  # of the glossary: its anchor, the term, the meaning, other names
    r'<td[^>]*><a class="anchor" id="([^"]+)"></a>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', re.S)


def plain(text):
    text = re.sub(r"</?(?:a|b|code|em|i|span|sub|sup)\b[^>]*>", "", text)
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())


def sections(text):
    """The page in pieces, from heading to heading: anchor, heading, text. An entry of the glossary: also all names."""
    body = NO_TEXT.sub(" ", text.partition('<div class="contents">')[2].partition("<!-- contents -->")[0])
    for anchor, term, meaning, names in ENTRY.findall(body):
        yield anchor, plain(term), plain(meaning), "; ".join(filter(None, map(plain, (term, names))))
    parts = re.split(r"<h([1-3])\b[^>]*>(.*?)</h\1>", ENTRY.sub(" ", body), flags=re.S)
    yield "", "", plain(parts[0])
    for before, heading, words in zip(parts[0::3], parts[2::3], parts[3::3]):
        anchors = re.findall(r'\bid="([^"]+)"', before)
        yield anchors[-1] if anchors else "", plain(heading).removeprefix("◆").strip(), plain(words)


def complete(pages, sidebar, folder):
    """Gives each page the sidebar and the script, and writes what the search looks through."""
    index = []
    for path in pages:
        text = path.read_text(encoding="utf-8")
        title = plain(re.search(r"<title>lbm-stages: (.*?)</title>", text, re.S)[1])
        index.append([path.name, title, [*sections(text)]])
        here = f'<a href="{path.name}">'
        groups = [group.replace("<details>", "<details open>").replace(here, here[:-1] + ' aria-current="page">')
                  if here in group else group for group in sidebar.split("\n\n")]
        if "</head>" not in text or "<body>" not in text:
            sys.exit(f"{path}: Doxygen writes another <head> or <body> than this script knows")
        text = text.replace("</head>", '<script src="book.js"></script>\n</head>', 1)
        path.write_text(text.replace("<body>", "<body>\n" + "\n".join(groups), 1), encoding="utf-8")
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (folder / "search.js").write_text(f"window.searched = {text};\n", encoding="utf-8")


def main(mathjax, given, folder, live=None):
    shutil.copytree(given / "figures", folder, dirs_exist_ok=True)
    for part in (found for pattern in MATHJAX_PARTS for found in mathjax.glob(pattern)):
        copy = folder / "mathjax" / part.relative_to(mathjax)
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if part.is_dir() else shutil.copy)(part, copy)
    files = folder / "files.html"
    files.write_text(re.sub(r'.*>pages<.*\n', "", files.read_text(encoding="utf-8")), encoding="utf-8")
    for empty in folder.glob("*_8md.html"):
        empty.unlink()
    complete(sorted(folder.glob("*.html")), (given / "sidebar.html").read_text(encoding="utf-8"), folder)
    for page in live.glob("*.html") if live else ():
        text = page.read_text(encoding="utf-8")
        (folder / page.name).write_text(text.replace("<!-- book -->", '<a href="live.html">The book</a>'), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: finish.py MATHJAX INPUT HTML [LIVE]")
    main(*map(pathlib.Path, sys.argv[1:]))
