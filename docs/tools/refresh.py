"""Usage: refresh.py TABLE [--check]. Writes into the pages of the book the numbers, code and tables that they quote, as
these are now, and draws the figures of figures.py; with --check it only reports where a page differs. TABLE is the
build's stages.tsv. Fails if something differs or is missing, or if a forge would not show a page well.
"""

import glob
import itertools
import os
import pathlib
import re
import shutil
import sys

import figures
import ladder
import sources
import tables
from sources import DEFINITION, DIRECTIVE, END, QUOTED, Problem, read_lines, resolve

RECORD_FIGURE = "<!-- reference figure -->"


def way_to(page, path):
    return os.path.relpath(path, os.path.dirname(page) or ".")


# ---- The content of a block ----
def list_stages(page):
    lines = ["| stage | follows | what it adds |", "|---|---|---|"]
    for stage in sources.STAGES:
        chapter = f"stages/{stage}/walkthrough.md"
        name = f"[{stage}]({way_to(page, chapter)})" if os.path.exists(chapter) else stage
        mark = " (**a new program**)" if sources.is_new_program(stage) else ""
        lines.append(f"| {name} | {sources.follows(stage)} | {sources.adds(sources.solver_of(stage))}{mark} |")
    return lines


def list_contents(page):
    lines = []
    others = [other for other in sources.list_pages() if other.file != page]
    for group, members in itertools.groupby(others, lambda other: other.group):
        lines += ["", f"**{group}**", ""] if group else []
        lines += [f"{'  ' if other.chapter else ''}- [{other.title}]({way_to(page, other.file)})" for other in members]
    return lines[lines[:1] == [""] :]


def make_block(page, record, kind, arguments):
    if kind in WITHOUT_ARGUMENTS:
        return WITHOUT_ARGUMENTS[kind](page)
    if kind == "ladder":
        return ladder.table(arguments, lambda stage: f"[{stage}]({way_to(page, f'stages/{stage}/walkthrough.md')})")
    if kind == "reference table" and not re.fullmatch(r"[a-z_0-9]+\.csv(, this stage)?", arguments):
        raise Problem(f'"{arguments}" is no reference table; it takes NAME.csv or NAME.csv, this stage')
    link, *name = arguments.removesuffix(", this stage").split()
    if len(name) > (kind == "code"):
        raise Problem(f'"{arguments}" is not what {kind} takes; docs/add_a_stage.md has the forms')
    path = f"{record}/{link}" if kind == "reference table" else resolve(page, link)
    if kind == "transcript" and not os.path.exists(path):
        return ["(There is no transcript of this yet.)"]
    if kind != "reference table" and not os.path.exists(path):
        raise Problem(f"there is no {'table' if kind == 'table' else 'file'} {path}")
    if kind == "program":
        return [f"[{path}]({link})"]
    if kind == "code":
        return ["```c", *sources.definition(path, *name), "```"]
    if kind == "fault":
        return ["```diff", *sources.fault_diff(path), "```"]
    if kind == "transcript":
        return ["```", *read_lines(path), "```"]
    return tables.in_markdown(path, sources.compared(page, arguments), way_to(page, path))


WITHOUT_ARGUMENTS = {"diff": lambda page: sources.shown_diff(sources.stage_of(page)), "stages": list_stages,
                     "contents": list_contents, "traffic": lambda page: tables.traffic(),
                     "devices": lambda page: tables.devices(lambda path: way_to(page, path))}


class Refresher:
    """A page, its lines counted from 1 on, and the complaints about it."""

    def __init__(self, page, record):
        self.page = page
        self.record = record
        self.complaints = []
        self.line = ["", *read_lines(page), ""]
        self.defined = {}  # the line of each label
        self.value = {}  # of each label whose query has an answer
        self.used = set()

    def complain(self, number, message):
        self.complaints.append(f"{self.page}:{number}: {message}")

    # ---- Numbers: [137.2][n1] in the text, and at the end of the page [n1]: path/to/file.csv "query" ----
    def read_definition(self, number, label, target, query):
        if label in self.defined:
            self.complain(number, f"[{label}] is defined already, in line {self.defined[label]}")
        self.defined[label] = number
        path = resolve(self.page, target)
        if query.startswith("reference: ") and not path.startswith(self.record + "/"):
            self.complain(number, f"{path} is not of the reference device, which is in {self.record}")
            target = re.sub("labs/results/[^/]*/", self.record + "/", target)
            path = resolve(self.page, target)
            self.line[number] = f'[{label}]: {target} "{query}"'
        try:
            self.value[label] = tables.answer(path, query), path
        except Problem as problem:
            self.complain(number, problem)

    def refresh_numbers(self, number):
        def renew(found):
            value, label = found.groups()
            self.used.add(label)
            if label not in self.defined:
                self.complain(number, f"[{label}] is defined nowhere on this page")
            now, path = self.value.get(label, (value, ""))
            if now != value:
                self.complain(number, f'"{value}" is "{now}" in {path}')
            return f"[{now}][{label}]"

        return sources.outside_code(lambda text: QUOTED.sub(renew, text), self.line[number])

    # ---- Blocks: from <!-- kind: arguments --> to <!-- end --> ----
    def end_of_block(self, begin):
        """The line of the block's end, or that of the directive if the block is not there yet."""
        for n in range(begin + 1, len(self.line)):
            if self.line[n] == END:
                return n
            if DIRECTIVE.fullmatch(self.line[n]):
                break
        if self.line[begin + 1]:
            self.complain(begin, f"the block has no {END}")
        return begin

    def refresh_block(self, begin, last, kind, arguments):
        try:
            fresh = make_block(self.page, self.record, kind, arguments)
        except Problem as problem:
            self.complain(begin, problem)
            return self.line[begin + 1 : last + 1]
        for n, (old, new) in enumerate(itertools.zip_longest(self.line[begin + 1 : last], fresh), begin + 1):
            if old != new:
                self.complain(n, f'"{old}" is no longer where it came from' if new is None else
                              f'"{old or ""}" is "{new}" where it comes from')
                break
        return [*fresh, END]

    def refresh_figure(self, number):
        """A figure of the reference device: the line below RECORD_FIGURE."""
        text = self.line[number]
        found = re.fullmatch(r"(!\[.*\]\()(.*figures/)[^_]*(_[^)]*)(\))", text)
        if not found:
            self.complain(number, "a reference figure is ![caption](path/to/figures/DEVICE_name.svg)")
            return text
        device = os.path.basename(self.record)
        link = found[2] + device + found[3]
        if not os.path.exists(resolve(self.page, link)):
            self.complain(number, f"there is no {resolve(self.page, link)}")
        elif found[1] + link + found[4] != text:
            self.complain(number, f"the figure is not of the reference device, {device}")
        return found[1] + link + found[4]

    # ---- Forms that a forge shows well ----
    def check_formula(self, number, text):
        found = re.search(r"\\[^a-zA-Z ]", text)
        if found:
            self.complain(number, f'forges drop the backslash of "{found[0]}" in a formula; write it as a word')

    def check_form(self, number):
        text = re.sub("`[^`]*`", "``", self.line[number])
        found = re.search(r"\\(f[$[]|(snippet|include|htmlinclude|ref)[ {])|{{", text)
        if found:
            self.complain(number, f'"{found[0]}" says nothing to a forge; docs/add_a_stage.md has the forms')
        if re.match(r" *\[[^]]*\]: [^ ]*\.csv", text) and not DEFINITION.fullmatch(self.line[number]):
            self.complain(number, 'a number is defined by [name]: path/to/table.csv "query", '
                          "its name of small letters, digits and _")
        found = re.search(r"\[[-+0-9.,]+%?\]\([^)]*\.csv[^)]*\)|\[[-+0-9.,]+%?\]$|^\[[a-z_0-9]+\]([ .,;)]|$)", text)
        if found:
            self.complain(number, f'"{found[0]}" is no quoted number; it is [value][name], in one line')
        found = re.match(r"[^][]*\]\([^)]*\)", text)
        if found:
            self.complain(number, f'the link that ends with "{found[0]}" begins in the line before; it takes one line')
        if text.startswith("<!--") and text != RECORD_FIGURE:
            self.complain(number, f'"{text}" begins no block; docs/add_a_stage.md has those that there are')
        if text.endswith("</summary>") and self.line[number + 1] or text == "</details>" and self.line[number - 1]:
            self.complain(number, "a fold takes an empty line behind <summary> and one before </details>")
        parts = text.split("$")
        if len(parts) % 2 == 0:
            self.complain(number, 'a "$" without its partner in the line')
        elif "$$" in text:
            self.complain(number, '"$$" takes a line of its own, before and behind the formula')
        for part in parts[1::2]:
            self.check_formula(number, part)
        length = len(QUOTED.sub("", self.line[number]))  # the length of a quoted number is not in the writer's hand
        if length > 120 and not re.match(r" *(\||#|<|!\[|\[[a-z_0-9]+\]: )", self.line[number]):
            self.complain(number, f"a line of {length} characters; up to 120 can be edited")

    def refresh(self):
        """The lines as they should be."""
        fence = formula = False
        for n, text in enumerate(self.line):
            fence ^= text.lstrip(" ").startswith("```")
            found = not fence and DEFINITION.fullmatch(text)
            if found:
                self.read_definition(n, *found.groups())
        lines = []
        n, fence = 1, False
        while n < len(self.line) - 1:
            text = self.line[n]
            fence ^= text.lstrip(" ").startswith("```")
            found = not fence and not formula and DIRECTIVE.fullmatch(text)
            lines.append(text)
            if found:
                last = self.end_of_block(n)
                lines += self.refresh_block(n, last, found[1] or found[3], found[2] or "")
                n = last
            elif not fence and text.lstrip(" ") == "$$":
                formula = not formula
            elif formula:
                self.check_formula(n, text)
            elif not fence:
                self.check_form(n)
                if self.line[n - 1] == RECORD_FIGURE:
                    lines[-1] = self.refresh_figure(n)
                elif not DEFINITION.fullmatch(text):
                    lines[-1] = self.refresh_numbers(n)
            n += 1
        for label in self.defined.keys() - self.used:
            self.complain(self.defined[label], f"no number of this page is [{label}]")
        if fence or formula:
            self.complain(n - 1, f"the last block of {'code' if fence else 'a formula'} has no end")
        return lines


def replace(path, lines):
    """Writes the file whole or not at all, with the modes that it had."""
    new = path + ".new"
    try:
        sources.write_lines(new, lines)
        if os.path.exists(path):
            shutil.copymode(path, new)
        os.replace(new, path)
    except OSError as error:
        raise Problem(f"{path}: it can't be written: {error.strerror}") from None
    finally:
        if os.path.isfile(new):
            os.remove(new)


def main(table, check):
    """Brings all pages up to date, or only looks (`check`): the complaints that are left."""
    sources.read_stages(table)
    record = sources.folder_of_record()
    complaints = []
    for figure, name, paths in figures.drawn(record):
        try:
            lines = figures.draw(name, [tables.read_table(path) for path in paths])
        except Problem as problem:
            complaints.append(f"{figure}:1: {problem}")
            continue
        if not check and not sources.holds(figure, lines):
            replace(figure, lines)
        if not sources.holds(figure, lines):
            complaints.append(f"{figure}:1: it is not what docs/tools/figures.py draws of {' '.join(paths)}")
    for page in [*(page.file for page in sources.list_pages()), "README.md"]:
        refresher = Refresher(page, record)
        lines = refresher.refresh()
        if not check and not sources.holds(page, lines):
            replace(page, lines)
            refresher = Refresher(page, record)
            lines = refresher.refresh()
        if not refresher.complaints and not sources.holds(page, lines):
            refresher.complain(len(lines), "the last line has no end")
        complaints += refresher.complaints
    return complaints


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit("usage: refresh.py TABLE [--check]")
    stages = os.path.abspath(sys.argv[1])
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    try:
        sys.exit("\n".join(main(stages, "--check" in sys.argv)) or 0)
    except Problem as problem:
        sys.exit(str(problem))
