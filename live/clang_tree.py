"""What clang tells of a C file: its tree, with file and line of every node, and questions that one asks of a node."""

import json
import pathlib
import re
import subprocess
import sys

NAMES = {"Real": "float", "CellType": "unsigned char", "CellNumber": "unsigned int", "size_t": "unsigned long",
         "uint32_t": "unsigned int"}


class Source:
    """The files that clang read, to copy comments and numbers from, and to name lines."""

    last = None  # the statement in work

    def __init__(self):
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = pathlib.Path(path).read_bytes()
        return self.texts[path]

    @staticmethod
    def begin(node):
        begin = node["range"]["begin"]
        return begin.get("expansionLoc", begin)

    def where(self, node):
        begin = self.begin(node)
        line = 1 + self.text(begin["file"])[:begin["offset"]].count(b"\n")
        return f"{begin['file']}:{line}"

    def fail(self, node, why):
        sys.exit(f"{self.where(node)}: {why}: only what stages 01 to 04 are made of becomes WGSL")

    def token(self, node):
        begin = node["range"]["begin"]
        begin = begin.get("spellingLoc", begin)
        return self.text(begin["file"])[begin["offset"]:begin["offset"] + begin["tokLen"]].decode()

    def comment(self, node):
        begin = self.begin(node)
        before = self.text(begin["file"])[:begin["offset"]].decode()
        found = re.search(r"((?:^//[^\n]*\n)+|^/\*\*(?:(?!\*/).)*\*/\n)\Z", before, re.M | re.S)
        return found[1] if found else ""

    def function(self, node):
        begin, end = self.begin(node), node["range"]["end"]
        return self.comment(node) + self.text(begin["file"])[begin["offset"]:end["offset"] + end["tokLen"]].decode()


def read_tree(clang, common, solver):
    """What clang makes of a solver. Clang names a file only where it changes: here every place names its own."""
    command = [*clang, "-x", "c", "-std=c17", f"-I{common}", "-DREAL=float", "-DSTAGE=stage", '-DSTAGE_NAME="stage"', "-w",
               "-Xclang", "-ast-dump=json", "-fsyntax-only", solver]
    ended = subprocess.run(command, capture_output=True, check=False)
    if ended.returncode != 0:
        said = [line for line in ended.stderr.decode(errors="replace").splitlines() if "error:" in line]
        sys.exit(said[0] if said else f"{clang[0]} can't read {solver}")
    tree = json.loads(ended.stdout)
    now = None

    def visit(thing):
        nonlocal now
        if isinstance(thing, dict):
            if "offset" in thing:
                now = thing.setdefault("file", now) or now
            for value in thing.values():
                visit(value)
        elif isinstance(thing, list):
            for value in thing:
                visit(value)

    sys.setrecursionlimit(10000)
    visit(tree)
    return tree


def parts(node, kind=None):
    return [part for part in node.get("inner", []) if kind in (None, part.get("kind"))]


def c_type(node):
    """The type without const, restrict and names for the same."""
    text = re.sub(r"\b(const|restrict|struct)\b", "", node["type"]["qualType"])
    text = re.sub(r"\b\w+\b", lambda found: NAMES.get(found[0], found[0]), text)
    return re.sub(r"\s+", " ", text).strip()


def bare(node):
    """The expression within conversions and parentheses."""
    while node.get("kind") in ("ImplicitCastExpr", "CStyleCastExpr", "ParenExpr", "ConstantExpr"):
        node = parts(node)[-1]
    return node


def name_of(node):
    return bare(node).get("referencedDecl", {}).get("name")


def stated(node):
    """The number that clang found for the expression of an enumerator; None: it is not told."""
    return int(node["value"]) if "value" in node else next((stated(part) for part in parts(node)), None)


def all_within(node, kind):
    return [node] * (node.get("kind") == kind) + [found for part in parts(node) for found in all_within(part, kind)]


def mentions(node, name):
    return node.get("referencedDecl", {}).get("name") == name or any(mentions(part, name) for part in parts(node))
