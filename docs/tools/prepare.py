"""Usage: prepare.py SOURCE TABLE OUTPUT [LIVE]. Makes Doxygen's input from the sources and the build's stages.tsv: pages
with links to the next and the previous one, sources with markers around each definition, coloured differences, tables
from the measured CSV files, the map of the course. LIVE: the folder of the pages that compute; without it there are no
links to them. Fails if something that a page quotes is missing.
"""

import glob
import hashlib
import itertools
import os
import re
import shutil
import sys

import ladder
import sources
import tables
from sources import DEFINITION, DIRECTIVE, END, QUOTED, Problem, Step, read_lines, resolve, write_lines


def mark(path):
    """A source with every definition between markers, so that \\snippet finds it by its name."""
    for name, lines in sources.definitions(path):
        yield from [f"//! [{name}]", *lines, f"//! [{name}]"] if name is not None else lines


# ---- HTML, differences and tables ----
def in_html(*lines):
    return ["\\htmlonly[block]", *lines, "\\endhtmlonly"]


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


# ---- The map of the course, and the sidebar ----
BRANCHES = {"0": "Sixteen bits done well", "1": "The CPU", "2": "Many GPUs", "3": "Fewer numbers, more steps",
            "4": "Small grids", "5": "Three dimensions"}  # by the first digit of a stage


def map_chain(stages, chapters):
    """Stages, each with what it adds and how many lines that changes, and with the one that it follows if that does not
    stand above it. Their speed is not here: the chapters ask the reader to predict it."""
    yield "<ol>"
    for above, stage in zip(["", *stages], stages):
        follows = sources.follows(stage)
        changed = f"{sources.kept(stage)[2]} changed lines" if follows else "the whole program"
        if sources.is_new_program(stage):
            changed = "a new program"
        name = f'<a href="{chapters[stage].address()}">{stage}</a>' if stage in chapters else stage
        after = f", after {follows}" if follows != above else ""
        yield f"<li><b>{name}</b>{after}: {tables.escape(sources.adds(sources.solver_of(stage)))} <i>({changed})</i></li>"
    yield "</ol>"


def draw_map(pages):
    """The trunk, and the branches folded below it."""
    chapters = {page.name.removeprefix("walkthrough_"): page for page in pages}
    trunk = [stage for stage in sources.STAGES if stage in chapters and chapters[stage].group == "Trunk"]
    yield from ('<div class="map">', *map_chain(trunk, chapters))
    for digit, members in itertools.groupby(sorted(set(sources.STAGES) - set(trunk)), lambda stage: stage[0]):
        branch = [*members]
        name = BRANCHES.get(digit, "More")
        yield f"<details><summary>{name}: {branch[0][:2]} to {branch[-1][:2]}</summary>"
        yield from (*map_chain(branch, chapters), "</details>")
    yield "</div>"


API = ("files", "Files of common/"), ("globals", "Names of common/")


def sidebar(pages):
    """The pages in their groups, for finish.py."""
    path = {step.file for step in sources.lean_path()}
    yield from ('<div id="tools"><a id="home" href="index.html">lbm-stages</a><a id="all" href="#book">All pages</a>'
                '<noscript>JavaScript is off: formulas appear as TeX, and there is no search.</noscript></div>',
                '<nav id="book" aria-label="All pages">')
    for group, members in itertools.groupby(pages, lambda page: page.group):
        yield from ("", f"<details><summary>{group}</summary><ul>")
        for page in members:
            kind = " ".join(["lean"] * (page.file in path) + ["exercise"] * (page.chapter != ""))
            title = tables.escape(page.title.removeprefix("Exercise: "))
            yield f'<li class="{kind}"><a href="{page.address()}">{title}</a></li>'
        if group == pages[-1].group:
            yield from (f'<li><a href="{page}.html">{title}</a></li>' for page, title in API)
        yield "</ul></details>"
    yield from ("", "</nav>")


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
        self.path = sources.lean_path()
        self.named = {page.file: page for page in pages}
        self.headings = sources.headings(self.lines)
        self.marked = any(heading.lean for heading in self.headings.values())
        self.folded = 0  # the level of the section that is folded on the lean path
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
        pdf = name.replace(".svg", ".pdf")
        link = f' (<a href="{pdf}">PDF</a>)' if os.path.exists(f"{self.output}/../html/{pdf}") else ""
        html = f'<figure><img src="{name}" alt="{caption}"/><figcaption>{caption}{link}</figcaption></figure>'
        return in_html(html)

    def address(self, file, anchor=""):
        """Of a page, as HTML."""
        return self.named[file].address() + ("#" + anchor if anchor else "")

    def link(self, found):
        """Links to other pages' files become links to the pages; to files that are no page, just their text."""
        label, target = found.groups()
        if re.match("https?:|mailto:|#", target):
            return found[0]
        file, _, anchor = target.partition("#")
        path = self.resolve(file)
        if path == "common/README.md":
            return f"[{label}](files.html)"
        if self.live and os.path.dirname(path) == "live" and path.endswith(".html"):
            return f"[{label}]({os.path.basename(path)})"
        if path not in self.named:
            return label
        self.shown.add(path)
        if anchor:
            return f"[{label}]({self.address(path, anchor)})"
        return f'\\ref {self.named[path].name} "{label}"'

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
            return in_html(*draw_map(self.pages))
        if kind == "contents":
            return self.list_contents()
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
        return ["```{.unparsed}", *read_lines(path), "```"]

    def list_contents(self):
        for group, members in itertools.groupby(self.pages[1:], lambda page: page.group):
            yield from ("", f"<b>{group}</b>", "")
            for page in members:
                yield f'{"  " if page.chapter else ""}- \\ref {page.name} "{page.title}"'

    def difference(self, stage):
        """The command, and the coloured diff in a fold below it."""
        shown = [line.replace("```sh", "```{.unparsed}") for line in sources.shown_diff(stage)]
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

    @staticmethod
    def entry(found):
        """The first cell of a row of the glossary, with an anchor."""
        return "| \\anchor " + re.sub(r"\W+", "_", f"term {found[1]}").strip("_") + found[0][1:]

    def line(self, line):
        """The lines that a line of text becomes."""
        found = re.fullmatch(r"!\[(.*)\]\((.*)\)", line)
        if found:
            return self.figure(*found.groups())
        if DEFINITION.fullmatch(line):
            return []
        if re.fullmatch("<details.*><summary>.*</summary>|</details>", line):
            return in_html(line)
        if line.startswith("    "):  # code
            return [line]
        anchor = self.questions.get(self.number - 1)
        text = sources.outside_code(self.text, line)
        if self.open and (line.startswith("|") or not line.strip()):
            raise self.problem("an emphasis has no end")
        if re.match(r"(?!\d+\. |```)[\w*`\"(\[]", self.lines[self.number - 2]):  # in a paragraph no list begins
            text = re.sub(r"\A(\d+)\. ", r"\1\\. ", text)
        if self.page.name == "glossary":
            text = re.sub(r"\A\| (\w[^|]*) ", self.entry, text)
        return [(f"\\anchor {anchor} " if anchor else "") + text]

    # ---- The way through the book ----
    def turn(self, path, before, after):
        """Links to what is read before and after, on one of the paths or, if there is no difference, on both."""
        text = f'<div class="turn {path}">'
        for side, step in ("previous", before), ("next", after):
            if step:
                here = sources.headings(read_lines(step.file)).values()
                parts = [f', "{heading.text}"' for heading in here if heading.anchor == step.anchor]
                title = tables.escape("".join([self.named[step.file].title, *parts]))
                text += f'<a class="{side}" href="{self.address(*step)}">{title}</a>'
        return in_html(text + "</div>")

    def turns(self, end):
        """At the top of the page or (`end`) at its foot."""
        near = [Step(self.pages[n].file, "") if 0 <= n < len(self.pages) else None for n in (self.here - 1, self.here + 1)]
        side = "foot" if end else "head"
        if not self.visits and not self.back:
            return self.turn(side, *near)
        lean = self.around(self.visits[-end]) if self.visits else self.back
        return self.turn("full " + side, *near) + self.turn("lean " + side, *lean)

    def around(self, n):
        """What is read before and after a step of the lean path."""
        return [self.path[k] if 0 <= k < len(self.path) else None for k in (n - 1, n + 1)]

    def find_place(self):
        """Which steps of the lean path are on this page, or where an optional exercise of the path leads back to."""
        self.visits = [n for n, step in enumerate(self.path) if step.file == self.page.file]
        self.back = None
        if not self.visits and any(step.file == self.page.chapter for step in self.path):
            anchor = sources.behind_stop(self.page.chapter, self.page.file)
            self.back = anchor and [Step(self.page.chapter, ""), Step(self.page.chapter, anchor)]
        if self.marked and not self.visits:
            raise self.problem("a heading has the mark ●, but the lean path, in docs/main.md, does not come here")
        anchors = [heading.anchor for heading in self.headings.values()]
        begins = [anchors.index(self.path[n].anchor) if self.path[n].anchor in anchors else -1 for n in self.visits]
        if [bool(self.path[n].anchor) for n in self.visits] != [begin >= 0 for begin in begins] or begins != sorted(begins):
            raise self.problem("the lean path, in docs/main.md, comes to headings that are not here, or in another order")

    def heading(self, line):
        """A heading, which begins a section that is folded on the lean path if it lacks the mark."""
        level, text, lean, anchor = self.headings[self.number - 1]
        if lean or level <= self.folded:
            yield from self.unfold()
        for before, n in zip(self.visits, self.visits[1:]):
            if self.path[n].anchor == anchor:
                yield from self.turn("lean", None, self.around(before)[1])
        line = "#" * level + " " + sources.outside_code(self.text, text)
        if lean or not self.marked or self.folded:
            yield from in_html(f'<a class="anchor" id="{anchor}"></a>')
            yield line
        else:
            self.folded = level
            yield from in_html(f'<details class="more" id="{anchor}" open="open"><summary>')
            yield line
            yield from in_html("</summary>")

    def unfold(self):
        if self.folded:
            yield from in_html("</details>")
        self.folded = 0

    def contents(self):
        """The sections of the page, for its margin."""
        listed = [heading for heading in self.headings.values() if 1 <= heading.level <= 2][1:]
        if len(listed) > 2:
            lines = ['<nav class="sections"><ul>']
            for level, text, lean, anchor in listed:
                kind = f"level{level}" + (" more" if self.marked and not lean else "")
                lines.append(f'<li class="{kind}"><a href="#{anchor}">{tables.escape(in_plain_text(text))}</a></li>')
            yield from in_html(*lines, "</ul></nav>")

    def convert(self):
        lines = self.lines
        self.find_questions()
        self.find_place()
        code = formula = titled = False
        while self.number < len(lines):
            line = lines[self.number]
            self.number += 1
            directive = not code and not formula and DIRECTIVE.fullmatch(line)
            if re.match(" *```", line):
                code = not code
                if code:
                    line = re.sub("```[a-z]+.*", "```{.c}" if line.endswith("```c") else "```{.unparsed}", line)
                yield line
            elif code:
                yield line
            elif not titled and line.startswith("# "):
                titled = True
                yield line if re.search("{#[a-z_0-9]+}", line) else f"{line} {{#{self.page.name}}}"
                yield from self.turns(end=False)
                yield from self.contents()
            elif self.number - 1 in self.headings:
                yield from self.heading(line)
            elif line.startswith("> ● "):  # for readers of the lean path alone
                yield from (*self.unfold(), *in_html('<blockquote class="lean">'), "", self.text(line[4:]), "")
                yield from in_html("</blockquote>")
            elif line.startswith("> **Stop here"):
                yield from self.unfold()
                yield from self.line(line)
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
        yield from self.unfold()
        yield from self.turns(end=True)
        if self.questions or self.page.name == "predictions":
            yield from in_html('<script defer src="predict.js"></script>')


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

    pages = sources.list_pages()
    write_lines(output + "/list", ["\t".join(page[:4]) for page in pages])
    write_lines(output + "/sidebar.html", sidebar(pages))
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
