"""Usage: style.py. Fails where a page of the book, or a comment, has a word that this project replaced by a standard
term or by plainer English: file, line, and the better word. Code, in pages too, is left alone.
"""

import os
import pathlib
import re
import sys

FOLDERS = ("common", "docs", "exercises", "labs", "live", "stages", "tests")

BETTER = [  # no entry may match anything that is right: this is a list of certain cases, and no judge of style
    (r"parcels?", "staging buffer, pair"),
    (r"ask(s|ed|ing)? ahead", "prefetch"),
    (r"stand-?ins?", "emulator"),
    (r"no measure of", "does not measure"),
    (r"whole numbers?", "integer"),
    (r"(is|are) asked for", "name who needs it: requested, given, demanded"),
    (r"by chance", "stochastically, at random"),
    (r"rocks? each other up", "amplify each other"),
    (r"of nobody", "not allocated"),
    (r"as a conjecture", "we suspect"),
    (r"(kernel|lane|tool)s? (ask|hear|mind)s?", "what happens: loads, receives, checks"),
    (r"deals? out", "distributes"),
    (r"which share (has|of)", "what fraction"),
    (r"a warp's turn", "eligible but not selected"),
]
# Searched for in lower-case text and without a \b in front: so that re finds their first letters as fast as a word.
WORDS = [(re.compile(old.replace(" ", r"\s+") + r"\b"), new) for old, new in BETTER]

# What is read of a file, as `text`, and what is passed over: code and addresses of links in pages, strings in C.
IN_PAGE = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)$|`(?:[^`\n]|\n(?!\n))*`|<!--.*?-->|\]\([^)\n]*\)"
                     r"|(?P<text>[^]`<~]+|[]`<~])", re.M | re.S)
IN_C = re.compile(r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<text>//[^\n]*|/\*.*?\*/)|[^"'/]+|/''', re.S)
IN_SCRIPT = re.compile(r"(?P<text>^ *#[^\n]*)|[^\n]*\n?", re.M)
SYNTAX = {".md": IN_PAGE, ".c": IN_C, ".h": IN_C, ".cu": IN_C, ".sh": IN_SCRIPT, ".sed": IN_SCRIPT, ".py": IN_SCRIPT}


def prose(path):
    """The text of a page or the comments of a program: all else is blank, so that lines stay where they are."""
    content = path.read_text(encoding="utf-8", errors="replace")
    text = "".join(found["text"] or re.sub(r"[^\n]", " ", found[0]) for found in SYNTAX[path.suffix].finditer(content))
    return re.sub(r"^ *(//|\*|#|>)", lambda found: " " * len(found[0]), text, flags=re.M)


def main():
    complaints = []
    files = [path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*") if path.suffix in SYNTAX]
    for path in [pathlib.Path("README.md"), *sorted(files)]:
        text = prose(path)
        lower = text.lower()
        for old, better in WORDS:
            for found in old.finditer(lower):
                first, end = found.span()
                if not re.match(r"\w", lower[:first][-1:]):
                    line = text.count("\n", 0, first) + 1
                    complaints.append(f'{path}:{line}: "{" ".join(text[first:end].split())}": {better}')
    return complaints


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    sys.exit("\n".join(main()) or 0)
