"""Usage: wgsl.py KERNELS.js COMMON 'CLANG...' SOLVER.cu... Writes the kernels of stages, and what they call, as WGSL: the
language of WebGPU's shaders. Clang reads the C and tells what it means: types, conversions, constants. This script takes
the C of which the stages 01 to 04 are made, and ends with file and line at anything else (docs/maintaining.md).
"""

import json
import pathlib
import re
import sys

from clang_tree import NAMES, Source, all_within, bare, c_type, mentions, name_of, parts, read_tree, stated

TYPES = {"int": "i32", "unsigned int": "u32", "unsigned long": "u32", "unsigned char": "i32", "float": "f32",
         "__half": "f16", "void": ""}
STRUCTS = ("Physics", "Destination", "Moments", "Site")
RESERVED = {"from": "from_", "get": "get_", "type": "type_"}  # words that WGSL keeps for itself
OURS = ("block_x", "block_y", "cell_type", "from_half", "load", "physics", "select", "store", "to_half", "types")
CALLS = {"__float2half_rn": "f16", "__half2float": "f32"}
PACKED = {"__float2half_rn": "to_half", "__half2float": "from_half"}
STRENGTH = {"||": 1, "&&": 1, "==": 4, "!=": 4, "<": 4, ">": 4, "<=": 4, ">=": 4, "+": 7, "-": 7, "*": 8, "/": 8, "%": 8}
ALONE = 10  # needs no parentheses anywhere
NO_COST = ("LValueToRValue", "NoOp", "FunctionToPointerDecay", "ArrayToPointerDecay")

CELL_TYPE = """\
fn cell_type(cell: u32) -> i32 {
    return i32(extractBits(types[cell / 4u], 8u * (cell % 4u), 8u));
}
"""

# Two halves share a word, and two threads may write them at the same time. Each half has one thread, which knows its
# bits, and flips those that change.
HALVES = """\
fn to_half(f: f32) -> u32 {
    return pack2x16float(vec2f(f, 0.0));
}

fn from_half(half: u32) -> f32 {
    return unpack2x16float(half).x;
}

fn load(n: u32) -> u32 {
    return extractBits(atomicLoad(&grid[n / 2u]), 16u * (n % 2u), 16u);
}

fn store(n: u32, half: u32) {
    atomicXor(&grid[n / 2u], (load(n) ^ half) << (16u * (n % 2u)));
}
"""


class Translator:
    """One solver in one form. Expressions are (text, how strongly it binds, type in WGSL)."""

    def __init__(self, tree, solver, unroll, packed):
        self.source, self.solver = Source(), solver
        self.unroll, self.packed = unroll, packed
        self.functions, self.constants, self.structs = {}, {}, {}
        for node in parts(tree):
            self.declare(node)
        self.texts = {}  # of functions that are done, by name, each behind those it calls
        self.originals = {}  # the same, in C
        self.used_constants, self.used_structs = [], []
        self.arrays = {}  # what kernels get by pointer: name to type of an element and whether it is only read
        self.types = {}  # of functions: what they return
        self.local, self.given = {}, []  # variables in scope: type in WGSL; which of them are parameters
        self.literal = {}  # counters of unrolled loops: number
        self.lines, self.indent, self.returns = [], 0, ""

    def declare(self, node):
        if node["kind"] == "FunctionDecl" and parts(node, "CompoundStmt"):
            self.functions[node["name"]] = node
        if node["kind"] == "EnumDecl":
            value = -1
            for constant in parts(node, "EnumConstantDecl"):
                value = stated(constant) if parts(constant) else None if value is None else value + 1
                if value is not None:
                    self.constants[constant["name"]] = value
        if node["kind"] == "RecordDecl":
            self.record = node
        if node["kind"] == "TypedefDecl" and node["name"] in STRUCTS:
            self.structs[node["name"]] = self.record

    # ---- Types ----
    def wgsl_type(self, node):
        text = c_type(node)
        array = re.fullmatch(r"(.*?) ?\[(\d+)\]", text)
        if array and array[1] in TYPES:
            return f"array<{TYPES[array[1]]}, {array[2]}>"
        if text == "float *":
            return "ptr<function, array<f32, 9>>"
        if text == "__half" and self.packed:
            return "u32"
        if text in STRUCTS:
            if text not in self.used_structs:
                self.used_structs.append(text)
            return text
        if text not in TYPES:
            self.source.fail(node, f"the type {node['type']['qualType']}")
        return TYPES[text]

    def is_shared(self, node):
        """Physics and types of cells are the same for all, so no function hands them on."""
        if c_type(node) not in ("Physics", "Physics *", "unsigned char *", "Solver *"):
            return False
        part = bare(node)
        part = bare(parts(part)[0]) if part.get("opcode") == "&" else part
        if part["kind"] not in ("ParmVarDecl", "DeclRefExpr", "MemberExpr"):
            self.source.fail(node, "an address that is computed")
        return True

    # ---- Expressions ----
    def value(self, node, least=0):
        text, strength, kind = self.expression(node)
        if kind == "bool":
            return f"i32({text})"
        return f"({text})" if strength < least else text

    def condition(self, node, least=0):
        text, strength, kind = self.expression(node)
        if kind != "bool":
            text, strength = f"{text if strength > 4 else f'({text})'} != 0", 4
        return f"({text})" if strength < least else text

    def expression(self, node):
        method = getattr(self, "of_" + node["kind"], None)
        if not method:
            self.source.fail(node, f"an expression of the kind {node['kind']}")
        return method(node, *parts(node))

    def of_ParenExpr(self, _, part):
        text, strength, kind = self.expression(part)
        return (text, strength, kind) if strength == ALONE else (f"({text})", ALONE, kind)

    def of_ConstantExpr(self, _, part):
        return self.expression(part)

    def of_IntegerLiteral(self, node):
        return node["value"], ALONE, "i32"

    def of_FloatingLiteral(self, node):
        return self.source.token(node), ALONE, "f32"

    def of_UnaryExprOrTypeTraitExpr(self, node, *_):
        kind = node.get("argType", {}).get("qualType")
        if NAMES.get(kind, kind) != "float":
            self.source.fail(node, "sizeof of anything but a float")
        return "4", ALONE, "u32"

    def of_ImplicitCastExpr(self, node, part):
        text, strength, kind = self.expression(part)
        if node["castKind"] == "FloatingCast" and part["kind"] == "FloatingLiteral":
            return text + "f", ALONE, "f32"
        if node["castKind"] in NO_COST:
            return text, strength, kind
        if node["castKind"] not in ("IntegralCast", "IntegralToFloating"):
            self.source.fail(node, f"a conversion of the kind {node['castKind']}")
        if re.fullmatch(r"\d+", text):
            to = "i32" if c_type(node) == "long" else self.wgsl_type(node)
            return text + {"u32": "u", "f32": ".0f", "i32": ""}[to], ALONE, to
        if c_type(node) == "unsigned char":
            self.source.fail(node, "a conversion to the type of a cell")
        to = self.wgsl_type(node)
        return (text, strength, kind) if kind in (to, "bool") else (f"{to}({text})", ALONE, to)

    of_CStyleCastExpr = of_ImplicitCastExpr

    def of_DeclRefExpr(self, node):
        name = node["referencedDecl"]["name"]
        if name in self.literal:
            return str(self.literal[name]), ALONE, "i32"
        if name in self.constants:
            self.used_constants += [name] if name not in self.used_constants else []
            return name, ALONE, "i32"
        if name in ("blockIdx", "threadIdx", "blockDim"):
            return name, ALONE, "vec3u"
        return RESERVED.get(name, name), ALONE, self.local.get(name, "")

    def of_MemberExpr(self, node, of):
        text, _, _ = self.expression(of)
        if text == "blockDim":
            return f"block_{node['name']}", ALONE, "u32"
        if text in ("blockIdx", "threadIdx"):
            return f"{text}.{node['name']}", ALONE, "u32"
        if text == "solver":  # pages look after an even number of steps
            if node["name"] not in ("f", "steps"):
                self.source.fail(node, f"solver->{node['name']}")
            return "0" if node["name"] == "steps" else self.state, ALONE, ""
        if text == "site" and self.is_shared(node):
            return node["name"], ALONE, ""
        return f"{text}.{node['name']}", ALONE, self.wgsl_type(node) if c_type(node) in TYPES else ""

    def of_ArraySubscriptExpr(self, node, array, index):
        text, _, kind = self.expression(array)
        at = self.value(index)
        if c_type(array) == "unsigned char *":
            if text not in ("type_", "type"):
                self.source.fail(node, f"{text}[], which is not the types of all cells")
            return f"cell_type({at})", ALONE, "i32"
        if self.packed and c_type(array) == "__half *":
            return f"load({at})", ALONE, "u32"
        if kind.startswith("ptr"):
            text = f"(*{text})"
        return f"{text}[{at}]", ALONE, self.wgsl_type(node)

    def of_CallExpr(self, node, called, *arguments):
        name = parts(called)[0]["referencedDecl"]["name"]
        if name in CALLS:
            table = PACKED if self.packed else CALLS
            to = {"f16": "f16", "f32": "f32", "to_half": "u32", "from_half": "f32"}[table[name]]
            return f"{table[name]}({self.value(arguments[0])})", ALONE, to
        if name not in self.functions or name in OURS:
            self.source.fail(node, f"a call of {name}")
        self.need(name)
        given = ", ".join(self.argument(part) for part in arguments if not self.is_shared(part))
        return f"{RESERVED.get(name, name)}({given})", ALONE, self.types[name]

    def argument(self, node):
        text, _, kind = self.expression(node)
        if not c_type(node).endswith("*"):
            return self.value(node)
        if text in self.arrays:
            self.source.fail(node, f"{text}, which is device memory, handed to a function")
        if kind.startswith("array") and kind != "array<f32, 9>":
            self.source.fail(node, f"a function that takes {kind}")
        return text if kind.startswith("ptr") else f"&{text}"

    def of_UnaryOperator(self, node, part):
        if node["opcode"] == "-":
            text = self.value(part, 9)
            return f"-{text}", 9, self.expression(part)[2]
        if node["opcode"] == "!":
            return f"!{self.condition(part, 9)}", 9, "bool"
        if node["opcode"] == "&":
            return self.expression(part)
        self.source.fail(node, f"the operator {node['opcode']}")

    def of_BinaryOperator(self, node, left, right):
        operator = node["opcode"]
        if operator not in STRENGTH:
            self.source.fail(node, f"the operator {operator}")
        strength = STRENGTH[operator]
        if operator in ("||", "&&"):
            return f"{self.condition(left, 4)} {operator} {self.condition(right, 4)}", strength, "bool"
        one, other = self.value(left, strength), self.value(right, strength + 1)
        both = re.fullmatch(r"(\d+)u?/(\d+)u?", f"{one}/{other}")
        if both and (strength == 4 or operator == "%"):
            return self.of_numbers(operator, int(both[1]), int(both[2]))
        kind = "bool" if strength == 4 else self.wgsl_type(node)
        return f"{one} {operator} {other}", strength, kind

    @staticmethod
    def of_numbers(operator, one, other):
        if operator == "%":
            return str(one % other), ALONE, "i32"
        truth = {"==": one == other, "!=": one != other, "<": one < other, ">": one > other, "<=": one <= other,
                 ">=": one >= other}[operator]
        return str(truth).lower(), ALONE, "bool"

    def of_ConditionalOperator(self, node, condition, then, other):
        text = self.condition(condition)
        if text in ("true", "false"):
            return self.expression(then if text == "true" else other)
        if any(c_type(part).endswith("*") for call in all_within(node, "CallExpr") for part in parts(call)[1:]):
            self.source.fail(node, "a choice that may write through a pointer: WGSL computes both sides")
        return f"select({self.value(other)}, {self.value(then)}, {text})", ALONE, self.expression(then)[2]

    def of_InitListExpr(self, node, *entries):
        kind = self.wgsl_type(node)
        if "array_filler" in node or any(part["kind"] == "ImplicitValueInitExpr" for part in entries):
            self.source.fail(node, "a list that leaves members out")
        return f"{kind}({', '.join(self.value(part) for part in entries)})", ALONE, kind

    # ---- Statements ----
    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def block(self, node):
        self.indent += 1
        outer = dict(self.local)
        for part in parts(node) if node["kind"] == "CompoundStmt" else [node]:
            self.statement(part)
        self.local = outer
        self.indent -= 1

    def statement(self, node):
        self.source.last = node
        method = getattr(self, "do_" + node["kind"], None)
        if not method:
            self.source.fail(node, f"a statement of the kind {node['kind']}")
        method(node, *parts(node))

    def do_DeclStmt(self, _, *declarations):
        for node in declarations:
            self.declaration(node)

    def declaration(self, node):
        self.check_new(node)
        kind = self.wgsl_type(node)
        name = RESERVED.get(node["name"], node["name"])
        constant = node["type"]["qualType"].startswith("const") and not kind.startswith("array")
        text = ""
        if "init" in node:
            text, _, found = self.expression(parts(node)[0])
            if found == "bool":
                kind, text = ("bool", text) if constant else (kind, f"i32({text})")
        self.local[node["name"]] = kind
        self.line(f"{'let' if constant else 'var'} {name}: {kind}{f' = {text}' if text else ''};")

    def check_new(self, node):
        if node["name"] in (*OURS, *self.local, *self.literal, *self.constants, *self.functions):
            self.source.fail(node, f"a second {node['name']}")

    def check_variable(self, node):
        name = name_of(node)
        if name in self.literal or name in self.given and not self.local[name].startswith("ptr"):
            self.source.fail(node, f"a parameter or a counter that changes, {name}")

    def do_CompoundStmt(self, node, *_):
        self.line("{")
        self.block(node)
        self.line("}")

    def do_ReturnStmt(self, _, *value):
        if not value:
            self.line("return;")
        else:
            self.line(f"return {self.condition(value[0]) if self.returns == 'bool' else self.value(value[0])};")

    def do_IfStmt(self, _, condition, then, *otherwise):
        text = self.condition(condition)
        if text == "false" and not otherwise:
            return
        self.line(f"if ({text}) {{")
        self.block(then)
        for node in otherwise:
            self.line("} else {")
            self.block(node)
        self.line("}")

    def do_ForStmt(self, node, begin, _, condition, step, body):
        variables = parts(begin) if begin.get("kind") == "DeclStmt" else []
        name = variables[0]["name"] if len(variables) == 1 and c_type(variables[0]) == "int" else None
        if not name or step.get("opcode") != "++" or name_of(parts(step)[0]) != name or condition.get("opcode") != "<" \
                or name_of(parts(condition)[0]) != name:
            self.source.fail(node, "a loop that does not count an int of its own by ones to below an end")
        self.check_new(variables[0])
        first, end = parts(variables[0])[0], parts(condition)[1]
        numbers = [self.number(part) for part in (first, end)]
        if self.unroll and None not in numbers:
            for self.literal[name] in range(*numbers):
                self.statement(body)
            del self.literal[name]
            return
        self.local[name] = "i32"
        self.line(f"for (var {name}: i32 = {self.value(first)}; {self.condition(condition)}; {name}++) {{")
        self.block(body)
        self.line("}")
        del self.local[name]

    def number(self, node):
        """The number that an expression states, or None."""
        return int(bare(node)["value"]) if bare(node)["kind"] == "IntegerLiteral" else self.constants.get(name_of(node))

    def do_SwitchStmt(self, _, chosen, body):
        self.line(f"switch ({self.value(chosen)}) {{")
        for case in parts(body):
            if case["kind"] not in ("CaseStmt", "DefaultStmt") or parts(case)[-1]["kind"] != "ReturnStmt" \
                    or len(parts(case)) > 2:
                self.source.fail(case, "a case that is more than a value and a return")
            label = "default" if case["kind"] == "DefaultStmt" else f"case {self.value(parts(case)[0])}"
            self.line(f"{label}: {{")
            self.block(parts(case)[-1])
            self.line("}")
        self.line("}")

    def do_CompoundAssignOperator(self, node, left, right):
        self.check_variable(left)
        self.line(f"{self.value(left)} {node['opcode']} {self.value(right)};")

    def do_BinaryOperator(self, node, left, right):
        if node["opcode"] != "=":
            self.source.fail(node, "a statement that does nothing")
        self.check_variable(left)
        to, value = self.value(left), self.value(right)
        stored = re.fullmatch(r"load\((.*)\)", to)
        self.line(f"store({stored[1]}, {value});" if stored else f"{to} = {value};")

    def do_CallExpr(self, node, *_):
        self.line(f"{self.value(node)};")

    # ---- Functions ----
    def need(self, name):
        if name in self.texts:
            return
        saved = self.lines, self.indent, self.local, self.given, self.literal, self.returns
        self.lines, self.indent, self.local, self.literal = [], 0, {}, {}
        text = self.function(self.functions[name])
        self.lines, self.indent, self.local, self.given, self.literal, self.returns = saved
        self.texts[name] = text
        self.originals[name] = self.source.function(self.functions[name])

    def function(self, node):
        given = [part for part in parts(node, "ParmVarDecl") if not self.is_shared(part)]
        self.local = {part["name"]: self.pointed(part) for part in given}
        self.given = list(self.local)
        result = {"type": {"qualType": node["type"]["qualType"].split(" (")[0]}, "range": node["range"]}
        body = parts(node, "CompoundStmt")[0]
        self.returns = "bool" if c_type(result) == "int" and self.returns_truths(body) else self.wgsl_type(result)
        self.types[node["name"]] = self.returns
        self.block(body)
        written = ", ".join(f"{RESERVED.get(name, name)}: {self.local[name]}" for name in self.given)
        head = f"fn {RESERVED.get(node['name'], node['name'])}({written}) {f'-> {self.returns} ' if self.returns else ''}{{"
        return self.source.comment(node) + "\n".join([head, *self.lines, "}"]) + "\n"

    def pointed(self, node):
        """A pointer to one structure becomes the structure."""
        kind = re.sub(r" \*$", "", c_type(node))
        return self.wgsl_type({**node, "type": {"qualType": kind}} if kind in STRUCTS else node)

    def returns_truths(self, node):
        if node.get("kind") == "ReturnStmt":
            return parts(node)[0].get("opcode") in ("||", "&&", "==", "!=", "<", ">", "<=", ">=")
        return all(self.returns_truths(part) for part in parts(node))

    def kernel(self, node):
        for part in parts(node, "ParmVarDecl"):
            if not self.is_shared(part):
                kind = re.sub(r" \*$", "", c_type(part))
                if kind not in ("float", "__half"):
                    self.source.fail(part, f"a kernel that takes {part['type']['qualType']}")
                self.arrays[RESERVED.get(part["name"], part["name"])] = (
                    TYPES[kind], part["type"]["qualType"].startswith("const"))
        self.lines, self.indent, self.local, self.given, self.returns = [], 0, {}, [], ""
        self.block(parts(node, "CompoundStmt")[0])
        self.originals[node["name"]] = self.source.function(node)
        self.texts[node["name"]] = self.source.comment(node) + "\n".join([
            "@compute @workgroup_size(block_x, block_y)",
            f"fn {node['name']}(@builtin(workgroup_id) blockIdx: vec3u, @builtin(local_invocation_id) threadIdx: vec3u) {{",
            *self.lines, "}"]) + "\n"

    def struct(self, name):
        fields = [f"    {part['name']}: {self.wgsl_type(part)}," for part in parts(self.structs[name], "FieldDecl")
                  if "*" not in part["type"]["qualType"]]
        return "\n".join([f"struct {name} {{", *fields, "}"]) + "\n"

    def fields(self):
        """Where the members of Physics lie, in words of 32 bits: name to place and type."""
        found, at = {}, 0
        for part in parts(self.structs["Physics"], "FieldDecl"):
            kind = self.wgsl_type(part)
            if not re.match(r"(int|float)\b", c_type(part)):
                self.source.fail(part, f"a member of Physics that is {part['type']['qualType']}")
            found[part["name"]] = [at, kind]
            at += int(re.search(r"(\d+)>$", kind)[1]) if kind.startswith("array") else 1
        return found

    def bindings(self):
        yield "@group(0) @binding(0) var<storage, read> physics: Physics;"
        yield "@group(0) @binding(1) var<storage, read> types: array<u32>; // four cells in a word"
        for n, (name, (kind, is_read)) in enumerate(self.arrays.items()):
            element = "atomic<u32>" if self.packed and kind == "f16" else kind
            yield f"@group(0) @binding({n + 2}) var<storage, {'read' if is_read else 'read_write'}> {name}: array<{element}>;"

    def kernels(self):
        return [name for name, node in self.functions.items()
                if self.source.begin(node)["file"] == self.solver and mentions(node, "blockIdx")]

    def program(self):
        for name in self.kernels():
            self.kernel(self.functions[name])
        if not self.arrays:
            sys.exit(f"{self.solver}: it has no kernel")
        for self.state, name in ((list(self.arrays)[0], "get"), (list(self.arrays)[-1], "put"), ("", "moments")):
            self.need(name)  # what a page looks through
        uses_halves = any(kind == "f16" for kind, _ in self.arrays.values())
        head = ["enable f16;\n"] if uses_halves and not self.packed else []
        head.append("override block_x: u32 = 32; // blockDim\noverride block_y: u32 = 8;\n")
        structs = [self.struct(name) for name in ("Physics", *[name for name in self.used_structs if name != "Physics"])]
        self.used_constants.sort(key=self.constants.get)
        head.append("".join(f"const {name} = {self.constants[name]};\n" for name in self.used_constants))
        head += [*structs, "\n".join(self.bindings()) + "\n", CELL_TYPE]
        return "\n".join(head + ([HALVES] if uses_halves and self.packed else []) + list(self.texts.values()))


def fact(solver, name, pattern):
    found = re.search(rf"\.{name} = {pattern}", pathlib.Path(solver).read_text(encoding="utf-8"))
    return found[1] if found else sys.exit(f"{solver}: no line .{name} = ... of the kind that stages 01 to 04 have")


def stage(clang, common, solver):
    """All that the pages know of a stage."""
    tree = read_tree(clang, common, solver)
    forms = {name: Translator(tree, solver, unroll, packed)
             for name, unroll, packed in (("unrolled", True, False), ("loops", False, False), ("packed", True, True))}
    try:
        codes = {name: form.program() for name, form in forms.items()}
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
        last = next(form.source for form in forms.values() if form.source.last)
        last.fail(last.last, "a construct that this script doesn't know")
    form = forms["loops"]
    has_halves = any(kind == "f16" for kind, _ in form.arrays.values())
    own = [name for name, node in form.functions.items() if name in form.texts and name not in ("get", "put")
           and form.source.begin(node)["file"] == solver]
    return {
        "summary": fact(solver, "summary", '"(.*)"'),
        "bytes": float(fact(solver, "bytes_per_update", r"([\d.]+)")),
        "grids": len(form.arrays), "width": 2 if has_halves else 4, "kernels": form.kernels(),
        "unrolled": codes["unrolled"], "loops": codes["loops"], "packed": codes["packed"] if has_halves else None,
        "own": [[form.originals[name], form.texts[name]] for name in own],
    }, form.fields()


def main(out, common, clang, *solvers):
    stages, fields = {}, {}
    for solver in solvers:  # a build may have none of the four
        stages[pathlib.Path(solver).parent.name], fields = stage(clang.split(), common, solver)
    text = f"const KERNELS = {json.dumps(stages, indent=0)};\nconst PHYSICS = {json.dumps(fields)};\n"
    pathlib.Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: wgsl.py KERNELS.js COMMON 'CLANG...' SOLVER.cu...")
    try:
        main(*sys.argv[1:])
    except (OSError, UnicodeError) as error:
        sys.exit(f"wgsl.py: {error}")
