"""The sources of the book: the list of its pages, stages, definitions in C files, differences between files.

Every path is relative to the top of the repository, which is the working directory.
"""

import functools
import glob
import os
import re
import subprocess
import tempfile
from typing import NamedTuple


class Problem(Exception):
    """A page quotes something that is missing or wrong: one line for the person who wrote the page."""


class Page(NamedTuple):
    file: str
    name: str  # of the page in Doxygen
    title: str
    chapter: str  # the file of the page that an exercise belongs to, else ""
    group: str  # of the sidebar

    def address(self):
        return "index.html" if self.name == "mainpage" else self.name + ".html"


class Step(NamedTuple):
    """Of the lean path: a page from its beginning, or from a heading, on."""

    file: str
    anchor: str


class Heading(NamedTuple):
    level: int
    text: str
    lean: bool
    anchor: str  # as forges make it


QUOTED = re.compile(r"\[([^][]+)\]\[([a-z_0-9]+)\]")  # [value][label]
DEFINITION = re.compile(r'\[([a-z_0-9]+)\]: ([^ ]+\.csv) "([^"]*)"')  # [label]: path/to/table.csv "query"
END = "<!-- end -->"  # of the block that a directive begins
DIRECTIVE = re.compile(
    r"<!-- (?:(code|program|transcript|fault|ladder|table|reference table): +([^ >][^>]*)|"
    r"(diff|stages|contents|traffic|devices)) -->")


def read_lines(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            return [line.rstrip("\n") for line in file]
    except OSError:
        raise Problem(f"there is no file {path}") from None


def write_lines(path, lines):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)


def packed(parts, between=""):
    """The elements or rules of a drawing, most of which are short, in lines of up to 200 characters."""
    lines = []
    for part in parts:
        if lines and len(lines[-1]) + len(between) + len(part) <= 200:
            lines[-1] += between + part
        else:
            lines.append(part)
    return lines


def holds(path, lines):
    """Whether the file holds these lines and nothing else."""
    try:
        with open(path, "rb") as file:
            return file.read() == "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
    except OSError:
        return False


def resolve(page, link):
    """The path that a link in a page leads to; a folder stands for its README.md."""
    path = os.path.normpath(os.path.join(os.path.dirname(page), link))
    return path + "/README.md" if link.endswith("/") else path


def headings(lines):
    """Of each line that is a heading, what it says."""
    found, code = {}, False
    for n, line in enumerate(lines):
        code ^= line.lstrip(" ").startswith("```")
        parts = not code and re.fullmatch(r"(#+) (.*?)( ●)?", line)
        if parts:
            text = parts[2] + (parts[3] or "")
            anchor = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
            same = sum(other.anchor == anchor for other in found.values())
            found[n] = Heading(len(parts[1]), parts[2], bool(parts[3]), f"{anchor}-{same}" if same else anchor)
    return found


def behind_stop(chapter, exercise):
    """The heading behind the lines of a chapter that say "stop here" for an exercise; "" if none do."""
    lines = read_lines(chapter)
    for n, heading in headings(lines).items():
        at = max((k for k in range(n) if lines[k].startswith("> **Stop here")), default=n)
        if any(f"/{exercise})" in line for line in lines[at:n]):
            return heading.anchor
    return ""


@functools.lru_cache(maxsize=None)
def lean_path():
    """The steps of the lean path: the first page and the links of its list there, save those to optional exercises."""
    text = "\n".join(read_lines("docs/main.md")).partition("\n## The lean path")[2].partition("\n#")[0]
    steps = [Step("docs/main.md", "")]
    for item in re.findall(r"(?m)^\d+\. .*(?:\n +.*)*", text):
        for link in re.findall(r"\]\(([^)]*)\)", item.partition("optional:")[0]):
            file, _, anchor = link.partition("#")
            steps.append(Step(resolve("docs/main.md", file), anchor))
    return steps


def list_pages():
    """The pages of docs/pages.txt whose files exist, in reading order; an exercise comes after its chapter, in the
    order of exercises/CMakeLists.txt."""
    pages = []
    group = ""
    order = re.findall(r"(?m)^add_\w*exercise\((\w+)", "\n".join(read_lines("exercises/CMakeLists.txt")))
    for line in read_lines("docs/pages.txt"):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            group = line.strip("[]")
            continue
        pattern, name, title = line.split(None, 2)
        files = sorted(glob.glob(pattern))
        if pattern.startswith("exercises/*/"):
            files.sort(key=lambda file: order.index(file.split("/")[-2]))
        for file in files:
            page = Page(file, name, title, "", group)
            if "*" in pattern:
                lines = read_lines(file) + [""] * 3
                own = re.sub("^# ", "", lines[0]) if lines[0].startswith("# ") else ""
                page = Page(file, name.replace("*", file.split("/")[-2]), title.replace("*", own), "", group)
            if pattern.startswith("exercises/*/"):
                link = re.match(r"[^(]*\]\(../../([^)]*)\)", lines[2])
                page = page._replace(chapter=link[1] if link else "")
            pages.append(page)
    files = {page.file for page in pages}
    return [page for first in pages if first.chapter not in files
            for page in [first] + [exercise._replace(group=first.group) for exercise in pages if exercise.chapter == first.file]]


def folder_of_record():
    """The folder of the reference device."""
    lines = read_lines("labs/results/record.txt")
    device = " ".join(line for line in lines if line and not line.startswith("#"))
    if not device or not os.path.isdir("labs/results/" + device):
        there = " ".join(sorted(glob.glob("labs/results/*/")))
        raise Problem(f'labs/results/record.txt names "{device}"; it takes one folder of labs/results: {there}')
    return "labs/results/" + device


# ---- Stages ----
STAGES = {}  # of each its row of the build's stages.tsv


def read_stages(table):
    """Reads the table in which the functions below look stages up."""
    titles, *rows = [line.split("\t") for line in read_lines(table)]
    STAGES.update((row[0], dict(zip(titles, row))) for row in rows)


def fact(stage, title):
    """What the table says of a stage; "" for what there is none of."""
    if stage not in STAGES:
        raise Problem(f'the build has no stage "{stage}"; it has {", ".join(STAGES)}')
    return STAGES[stage][title].removeprefix("-")


def follows(stage):
    return fact(stage, "follows")


def solver_of(stage):
    return fact(stage, "solver")


@functools.lru_cache(maxsize=None)
def needs_mpi(stage):
    """Whether a stage is for many GPUs: told by its source, where figures.py draws a table without a build."""
    return any(line.startswith('#include "ranks/') for file in glob.glob(f"stages/{stage}/solver.*")
               for line in read_lines(file))


def stage_of(page):
    return os.path.basename(os.path.dirname(page))


def compared(page, arguments):
    """The stages that a table is restricted to: with "this stage" the page's own, behind the one it follows."""
    stage = stage_of(page)
    return [name for name in (follows(stage), stage) if name] if arguments.endswith(", this stage") else []


def adds(solver):
    """The text in a solver's STAGE that says what the stage adds."""
    found = re.search(r'^    \.summary =((?:\s*"[^"\n]*")+)', "\n".join(read_lines(solver)), re.M)
    if not found:
        raise Problem(f"{solver}: STAGE has no .summary")
    return "".join(re.findall('"(.*)"', found[1]))


@functools.lru_cache(maxsize=None)
def kept(stage):
    """The lines that a stage keeps from the one that it follows, all of its lines, and the lines that change, counted as
    tests/diff_budget.sh does: without comments, blanks and white space."""
    with tempfile.TemporaryDirectory() as folder:
        for side, solver in ("before", solver_of(follows(stage))), ("after", solver_of(stage)):
            lines = [re.sub("//.*", "", line) for line in read_lines(solver)]
            write_lines(f"{folder}/{side}", lines)
        changes = subprocess.run(["diff", "-wB", f"{folder}/before", f"{folder}/after"], capture_output=True, text=True)
    changed = re.findall(r"(?m)^[<>](?= *\S)", changes.stdout)
    count = sum(not line.isspace() and line != "" for line in lines)
    return count - changed.count(">"), count, len(changed)


def is_new_program(stage):
    return follows(stage) != "" and fact(stage, "diff") == ""


def shown_diff(stage):
    """What a page shows of the diff to the stage that this one follows: its command, or why there is none."""
    if not follows(stage):
        raise Problem(f"{stage} follows no stage: there is no diff")
    if is_new_program(stage):
        same, lines, _ = kept(stage)
        return [f"This stage is a new program: only {same} of its {lines} lines of code come from {follows(stage)}. Read it",
                "from the top."]
    return ["```sh", f"diff -u {solver_of(follows(stage))} {solver_of(stage)}", "```"]


# ---- Definitions in C files, and differences ----
def name_of(head, last):
    """The name that a definition defines, from its first and its last line."""
    if re.match("typedef|enum", head):  # the name comes last
        return re.sub(r".*[ }]", "", re.sub(r";[^;]*$", "", head + last))
    text = re.sub(r"__launch_bounds__\([^)]*\)", "", head)
    text = re.sub(r" *[={][^(]*$", "", text)  # struct Solver {   const Stage STAGE = {
    return re.sub(r".*[ *]", "", re.sub(r"[(\[].*", "", text))


def definitions(path):
    """A C file in pieces (name, lines): its functions, structures, enumerations and tables, each with the // comments
    right above it; the lines between two of them have the name None."""
    comment, block, braces = [], [], False
    for line in read_lines(path):
        if block:
            block.append(line)
            braces = braces or line.endswith("{")
            if braces and line.startswith("}"):
                head = "".join(block[:2]) if block[0].endswith(")") else block[0]  # the launch bounds alone
                yield name_of(head, line), comment + block
            elif not braces and line.endswith(";"):  # a declaration after all
                yield None, comment + block
            else:
                continue
            comment, block = [], []
        elif line.startswith("//"):
            comment.append(line)
        elif re.match(r'(?!extern "C")[A-Za-z_]', line) and not re.search(r";( *(//|/\*).*)?$", line):
            block, braces = [line], line.endswith("{")
        else:
            yield None, comment + [line]
            comment = []
    if comment or block:
        yield None, comment + block


def definition(path, name=None):
    """The one definition of a name, or the whole file."""
    if not name:
        return read_lines(path)
    found = [lines for defined, lines in definitions(path) if defined == name]
    if len(found) != 1:
        raise Problem(f"{path} has {len(found) or 'no'} definition{'s' if found else ''} of {name}")
    return found[0]


def output_of(*command, may_return=(0,), text=None):
    """The lines that a command prints."""
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, encoding="utf-8", errors="surrogateescape")
    if done.returncode not in may_return:
        raise Problem(f"\"{' '.join(command)}\" fails")
    return done.stdout.removesuffix("\n").split("\n") if done.stdout else []


def diff(before, after, context, text=None):
    """The differences between two files; `text`, if given, is the content of the second one."""
    return output_of("diff", f"-U{context}", "--label", before, "--label", after, before,
                     after if text is None else "-", may_return=(0, 1), text=text)


def stage_diff(stage):
    """The differences between a stage and the one that it follows."""
    return diff(solver_of(follows(stage)), solver_of(stage), 4)


def fault_diff(script):
    """The changes that a sed script of labs/faults makes to the file that its first line names."""
    before = read_lines(script)[0].split(" ")[-1]
    changed = output_of("sed", "-f", script, before)
    return diff(before, script.removesuffix("sed") + "cu", 2, "".join(line + "\n" for line in changed))


def outside_code(change, text):
    """The text, changed everywhere but in its inline code."""
    code = iter(re.findall("`[^`]*`", text))
    return re.sub("\1", lambda _: next(code, ""), change(re.sub("`[^`]*`", "\1", text)))
