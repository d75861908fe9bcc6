"""Usage: finish.py MATHJAX FIGURES HTML. Adds to what Doxygen wrote the figures and the parts of MathJax 2 that the
formulas use, 3 MB of its 50; and takes the folder of the chapters out of the list of the API's files.
"""

import pathlib
import re
import shutil
import sys

MATHJAX_PARTS = ("MathJax.js", "config/local", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/*.js",
                 "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX", "localization/en")


def main(mathjax, figures, html):
    shutil.copytree(figures, html, dirs_exist_ok=True)
    for part in (found for pattern in MATHJAX_PARTS for found in mathjax.glob(pattern)):
        copy = html / "mathjax" / part.relative_to(mathjax)
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if part.is_dir() else shutil.copy)(part, copy)
    for file in html / "files.html", html / "files.js":
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r'.*[>"]pages[<"].*\n', "", text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: finish.py MATHJAX FIGURES HTML")
    main(*map(pathlib.Path, sys.argv[1:]))
