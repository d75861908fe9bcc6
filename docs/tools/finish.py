"""Usage: finish.py MATHJAX FIGURES HTML [LIVE]. Adds to what Doxygen wrote the figures, the parts of MathJax 2 that the
formulas use, 3 MB of its 50, and the pages that compute, of the folder LIVE, with a link to the book; and takes the
folder of the chapters out of the list of the API's files.
"""

import pathlib
import re
import shutil
import sys

MATHJAX_PARTS = ("MathJax.js", "config/local", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/*.js",
                 "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX", "localization/en")


def main(mathjax, figures, html, live=None):
    shutil.copytree(figures, html, dirs_exist_ok=True)
    for part in (found for pattern in MATHJAX_PARTS for found in mathjax.glob(pattern)):
        copy = html / "mathjax" / part.relative_to(mathjax)
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if part.is_dir() else shutil.copy)(part, copy)
    for page in live.glob("*.html") if live else ():
        text = page.read_text(encoding="utf-8")
        (html / page.name).write_text(text.replace("<!-- book -->", '<a href="live.html">The book</a>'), encoding="utf-8")
    for file in html / "files.html", html / "files.js":
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r'.*[>"]pages[<"].*\n', "", text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: finish.py MATHJAX FIGURES HTML [LIVE]")
    main(*map(pathlib.Path, sys.argv[1:]))
