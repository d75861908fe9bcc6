"""Usage: prepare.py SOURCE TABLE OUTPUT [LIVE]. Makes Doxygen's input from the sources and the build's stages.tsv: pages
with links to the next and the previous one, sources with markers around each definition, coloured differences, tables
from the measured CSV files, the map of the course. LIVE: the folder of the pages that compute; without it there are no
links to them. Fails if something that a page quotes is missing.
"""

import glob
import hashlib
import os
import re
import shutil
import sys

import ladder
import sources
import tables
from sources import DEFINITION, DIRECTIVE, END, QUOTED, Problem, read_lines, resolve, write_lines


def mark(path):
    """A source with every definition between markers, so that \\snippet finds it by its name."""
    for name, lines in sources.definitions(path):
        yield from [f"//! [{name}]", *lines, f"//! [{name}]"] if name is not None else lines


# ---- Differences and tables in HTML ----
def coloured(lines):
    """Colour is not the only sign: the + and - stay."""
    yield '<pre class="diff">'
    for line in lines:
        text = tables.escape(line).replace(">", "&gt;")
        if re.match(r"(---|\+\+\+) ", line):
            yield f'<span class="file">{text}</span>'
        elif line.startswith("@@"):
            yield f'<span class="hunk">{text}</span>'
        else:
            tag = {"+": "ins", "-": "del"}.get(line[:1])
            yield f"<{tag}>{text}</{tag}>" if tag else text
    yield "</pre>"


def make_table(path, output, name, stages=()):
    """Writes a table, and gives the command that includes it."""
    name += f"_{stages[-1]}.html" if stages else ".html"
    lines = tables.in_html(path, stages) if os.path.exists(path) else [
        f'<p class="no_record">There is no reference table ({os.path.basename(path)}) yet.</p>']
    write_lines(f"{output}/html/{name}", lines)
    return ["\\htmlinclude " + name]


def table_name(path):
    return "table_" + path.removeprefix("labs/results/").removesuffix(".csv").replace("/", "_")


# ---- Questions, for predict.js ----
def begin_of_question(lines):
    """Where the question begins that these lines end with: the last paragraph that begins with **. None if a heading or
    another answer is in between."""
    for n, line in reversed(list(enumerate(lines))):
        if line.startswith("**") and lines[n - 1 : n] in ([], [""]):
            return n
        if line.startswith(("#", "</details>")):
            break
    return None


def key_of(question):
    """The same as long as the question is: neither its number on the page nor a new measurement changes it."""
    text = QUOTED.sub(r"[\2]", re.sub(r"\A\*\*\d+\.\*\* ", "", question))
    return "question_" + hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def in_plain_text(question):
    """Without Markdown's marks, and with formulas as MathJax finds them."""
    def change(text):
        text = re.sub(r"\[([^]]+)\](?:\([^)]*\)|\[[^]]*\])", r"\1", text)
        return re.sub(r"\$([^$]*)\$", r"\\(\1\\)", re.sub(r"(?<!\w)\*+(?=\S)|(?<=\S)\*+(?!\w)", "", text))
    return sources.outside_code(change, question).replace("`", "")


# ---- The map of the course, for Graphviz ----
def map_row(text, begin, end):
    """A row of a node: the text between two marks, in lines of up to 25 characters."""
    result = line = ""
    for word in text.split():
        if len(f"{line} {word}") > 25:
            result += line + '<br align="left"/>'
            line = ""
        line += (" " if line else "") + word
    return f'<tr><td align="left" balign="left">{begin}{result}{line}{end}</td></tr>'


def draw_map():
    """One node for each stage, with what it adds and how many lines that changes, and an arrow from the stage it
    follows. Its speed is not here: the chapters ask the reader to predict it."""
    yield from ["digraph course {", "    graph [bgcolor=transparent, rankdir=TB, nodesep=0.2, ranksep=0.25]",
                '    node [shape=plain, fontname="sans-serif", fontsize=11]', '    edge [color="#808080"]']
    for stage in sources.STAGES:
        solver, follows = sources.solver_of(stage), sources.follows(stage)
        changed = f"{sources.kept(stage)[2]} changed lines" if follows else "the whole program"
        if sources.is_new_program(stage):
            changed = "a new program"
        rows = map_row(stage, "<b>", "</b>") + map_row(sources.adds(solver), "", "") + map_row(changed, "<i>", "</i>")
        chapter = os.path.exists(os.path.dirname(solver) + "/walkthrough.md")
        link = f'URL="\\ref walkthrough_{stage}", ' if chapter else ""
        yield (f'    "{stage}" [{link}label=<<table border="1" cellborder="0" cellspacing="0" cellpadding="4" '
               f'color="#4477aa" style="rounded">{rows}</table>>]')
        if follows:
            yield f'    "{follows}" -> "{stage}"'
    yield "}"


class Converter:
    """A page, from Markdown as a forge shows it to Markdown as Doxygen takes it: the page's name behind its title,
    formulas, figures, relative links, code, tables and differences with the book's own means, previous and next."""

    def __init__(self, here, pages, record, output, live):
        self.here = here
        self.page = pages[here]
        self.pages = pages
        self.record = record
        self.output = output
        self.live = live
        self.lines = read_lines(self.page.file)
        self.number = 0
        self.questions = {}  # the anchor of the one that begins in a line
        self.shown = set()  # exercises of this chapter that are linked already
        self.open = []  # tags of emphasis that have begun
        self.named = {page.file: page for page in pages}
        self.origin = {}  # of each number
        for line in self.lines:
            found = DEFINITION.fullmatch(line)
            if found:
                self.origin[found[1]] = f"{self.resolve(found[2])}: {found[3]}"

    def resolve(self, link):
        return resolve(self.page.file, link)

    def problem(self, message):
        return Problem(f"{self.page.file}:{self.number}: {message}")

    def figure(self, caption, path):
        path = self.resolve(path)
        name = os.path.basename(path)
        try:
            shutil.copy(path, f"{self.output}/figures/{name}")
        except OSError:
            if not name.endswith(".png"):
                raise self.problem(f"there is no figure {path}") from None
            print(f"{self.page.file}:{self.number}: the picture {name} is not there yet", file=sys.stderr)
            return [f"*(The picture {name} is not there yet: {caption})*"]
        html = f'<figure><img src="{name}" alt="{caption}"/><figcaption>{caption}</figcaption></figure>'
        return ["\\htmlonly[block]", html, "\\endhtmlonly"]

    def link(self, found):
        """Links to other pages' files become links to the pages; to files that are no page, just their text. The first
        link to an exercise of this chapter puts it below the chapter in the navigation."""
        label, target = found.groups()
        if re.match("https?:|mailto:|#", target):
            return found[0]
        path = self.resolve(target.partition("#")[0])
        if path == "common/README.md":
            return f"[{label}](files.html)"
        if self.live and os.path.dirname(path) == "live" and path.endswith(".html"):
            return f"[{label}]({os.path.basename(path)})"
        if path not in self.named:
            return label
        below = self.named[path].chapter == self.page.file and path not in self.shown
        self.shown.add(path)
        command = "\\subpage" if below else "\\ref"
        return f'{command} {self.named[path].name} "{label}"'

    def quoted(self, found):
        """A number that comes out of a table: the book shows where from when the mouse is on it."""
        return f'<span title="{self.origin.get(found[2], "")}">{found[1]}</span>'

    def emphasis(self, found):
        """Stars that begin or end emphasis become tags: Doxygen leaves them beside quotes, code and formulas."""
        tag = {"**": "b", "*": "em"}.get(found[0])
        before, after = found.string[: found.start()], found.string[found.end() :]
        if tag in self.open and re.search(r"\S\Z", before) and not re.match(r"\w", after):
            self.open.remove(tag)
            return f"</{tag}>"
        if tag and tag not in self.open and not re.search(r"\w\Z", before) and re.match(r"\S", after):
            self.open.append(tag)
            return f"<{tag}>"
        return found[0]

    def text(self, text):
        text = re.sub(r"\$[^$]*\$|\*\*?", self.emphasis, text)
        text = re.sub(r"\[([^]`]+)\]\(([^) ]+)\)", self.link, QUOTED.sub(self.quoted, text))
        return text.replace("$", "\\f$")

    def block(self, kind, arguments):
        """The command by which Doxygen shows what a comment asks for; paths are those of the folder made here."""
        if kind == "stages":
            return ["\\dot", *read_lines(self.output + "/map.dot"), "\\enddot"]
        if kind == "contents":
            return [f'{"  " if page.chapter else ""}- \\ref {page.name} "{page.title}"' for page in self.pages[1:]]
        if kind == "traffic":
            return tables.traffic()
        if kind == "devices":
            return tables.devices()
        if kind == "ladder":
            return ladder.table(arguments, lambda stage: f'\\ref walkthrough_{stage} "{stage}"')
        if kind == "diff":
            return self.difference(sources.stage_of(self.page.file))
        path, *name = arguments.removesuffix(", this stage").split()
        stages = sources.compared(self.page.file, arguments)
        if kind == "reference table":
            return make_table(f"{self.record}/{path}", self.output, "record_" + path.removesuffix(".csv"), stages)
        path = self.resolve(path)
        if kind == "table":
            return make_table(path, self.output, table_name(path), stages)
        if kind == "code":
            return [f"\\snippet {path} {name[0]}" if name else f"\\include {path}"]
        if kind == "program":
            return ["\\include{lineno} " + path]
        if kind == "fault":
            return [f"\\htmlinclude diff_{os.path.basename(path).removesuffix('.sed')}.html"]
        if not os.path.exists(path):
            return ["(There is no transcript of this yet.)"]
        return ["```{.txt}", *read_lines(path), "```"]

    def difference(self, stage):
        """The command, and the coloured diff in a fold below it."""
        shown = [line.replace("```sh", "```{.txt}") for line in sources.shown_diff(stage)]
        if sources.is_new_program(stage):
            return shown
        write_lines(f"{self.output}/html/diff_{stage}.html", [
            f'<details><summary>What changes from {sources.follows(stage)}</summary>',
            *coloured(sources.stage_diff(stage)),
            f"<p>{sources.kept(stage)[2]} changed lines, without comments, blanks and white space.</p></details>"])
        return [*shown, "", f"\\htmlinclude diff_{stage}.html"]

    def find_questions(self):
        """Gives each answer its question, the anchor of that, and the place of both in the book."""
        for n, line in enumerate(self.lines):
            if line.startswith("<details><summary>Answer"):
                self.number = n + 1
                begin = begin_of_question(self.lines[:n])
                if begin is None:
                    raise self.problem('an answer takes a question in front of it, which begins with "**"')
                question = " ".join(" ".join(self.lines[begin:n]).split())
                anchor = key_of(question)
                if anchor in self.questions.values():
                    raise self.problem("the page has the same question twice")
                self.questions[begin] = anchor
                text = tables.escape(in_plain_text(question)).replace('"', "&quot;")
                data = f'data-anchor="{anchor}" data-question="{text}" data-place="{10000 * self.here + n}"'
                self.lines[n] = line.replace("<details>", f'<details class="answer" {data}>')
        self.number = 0

    def line(self, line):
        """The lines that a line of text becomes."""
        found = re.fullmatch(r"!\[(.*)\]\((.*)\)", line)
        if found:
            return self.figure(*found.groups())
        if DEFINITION.fullmatch(line):
            return []
        if re.fullmatch("<details.*><summary>.*</summary>|</details>", line):
            return ["\\htmlonly[block]", line, "\\endhtmlonly"]
        if line.startswith("    "):  # code
            return [line]
        anchor = self.questions.get(self.number - 1)
        text = sources.outside_code(self.text, line)
        if self.open and (line.startswith("|") or not line.strip()):
            raise self.problem("an emphasis has no end")
        return [(f"\\anchor {anchor} " if anchor else "") + text]

    def neighbours(self):
        text = '<div class="turn">'
        for n, side in (self.here - 1, "previous"), (self.here + 1, "next"):
            if 0 <= n < len(self.pages):
                text += f'<span class="{side}">\\ref {self.pages[n].name} "{self.pages[n].title}"</span>'
        lines = ["", text + "</div>", ""]
        if self.questions or self.page.name == "predictions":
            lines += ["\\htmlonly[block]", '<script defer src="predict.js"></script>', "\\endhtmlonly"]
        return lines

    def convert(self):
        lines = self.lines
        self.find_questions()
        code = formula = titled = False
        while self.number < len(lines):
            line = lines[self.number]
            self.number += 1
            directive = not code and not formula and DIRECTIVE.fullmatch(line)
            if re.match(" *```", line):
                code = not code
                if code:
                    line = re.sub("```[a-z]+.*", "```{.c}" if line.endswith("```c") else "```{.txt}", line)
                yield line
            elif code:
                yield line
            elif not titled and line.startswith("# "):
                titled = True
                yield line if re.search("{#[a-z_0-9]+}", line) else f"{line} {{#{self.page.name}}}"
            elif directive:
                yield from self.block(directive[1] or directive[3], directive[2] or "")
                if lines[self.number : self.number + 1] != [""]:
                    if END not in lines[self.number :]:
                        raise self.problem("a block has no end")
                    self.number = lines.index(END, self.number) + 1
            elif line.lstrip(" ") == "$$":
                formula = not formula
                yield "\\f[" if formula else "\\f]"
            elif formula:
                yield line
            else:
                yield from self.line(line)
        if code or formula:
            raise self.problem("a block has no end")
        if not titled:
            raise self.problem("the page has no title")
        for page in self.pages:
            if page.chapter == self.page.file and page.file not in self.shown:
                raise self.problem(f"no link to {page.file}, which names this page as its chapter")
        yield from self.neighbours()


def main(table, output, live=None):
    shutil.rmtree(output, ignore_errors=True)
    for folder in "pages", "code", "html", "figures":
        os.makedirs(f"{output}/{folder}")
    sources.read_stages(table)
    record = sources.folder_of_record()
    for pattern in ("stages/*/solver.*", "common/*/*", "labs/formats/solver.cu", "labs/formats/codecs/*",
                    "labs/reductions/forms.h"):
        for file in glob.glob(pattern):
            write_lines(f"{output}/code/{file}", mark(file))

    for script in glob.glob("labs/faults/*.sed"):
        name = os.path.basename(script).removesuffix(".sed")
        write_lines(f"{output}/html/diff_{name}.html", coloured(sources.fault_diff(script)))
    for path in glob.glob("labs/results/*.csv") + glob.glob("labs/results/*/*.csv"):
        make_table(path, output, table_name(path))
    write_lines(output + "/map.dot", draw_map())

    pages = sources.list_pages()
    write_lines(output + "/list", ["\t".join(page) for page in pages])
    for here, page in enumerate(pages):  # Doxygen lists chapters in the order of their files' names
        write_lines(f"{output}/pages/{101 + here}_{page.name}.md", Converter(here, pages, record, output, live).convert())


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: prepare.py SOURCE TABLE OUTPUT [LIVE]")
    os.chdir(sys.argv[1])
    try:
        main(*map(os.path.abspath, sys.argv[2:]))
    except Problem as problem:
        sys.exit(str(problem))
