"""Cells of a notebook that a reader of the page can change and run, and what they need.

A cell tagged ``try`` is one to change. An exercise is a cell tagged ``starter``, one tagged
``check`` and one tagged ``solution``, in this order after the ``{exercise}`` whose label they
bear. What a cell needs from earlier cells is found here, statement by statement, so that it
can be prepared where the rest of the notebook never ran.
"""

import ast
import builtins
import re
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

PARTS = ("starter", "check", "solution")
EXERCISE = re.compile(r"\{exercise\} *([^\n]*)\n(?: *:(?!label)[^\n]*\n)* *:label: *(\S+)")
KNOWN = frozenset(dir(builtins))


class CellError(ValueError):
    """Cells of an exercise that do not belong together."""


class Try(NamedTuple):
    """One cell to change, or one exercise."""

    name: str  #: the exercise's label, or the cell's id
    title: str  #: in words
    at: int  #: place of the cell in its notebook; of the starter, if it is an exercise
    code: str
    preparation: str  #: statements of earlier cells that it needs
    check: str = ""  #: code with assertions; empty if it is a cell to change
    solution: str = ""  #: code that passes them
    check_at: int = -1  #: place of the check

    @property
    def is_exercise(self):
        """Whether it has a check."""
        return bool(self.check)


def tries(cells):
    """All cells to change among the `cells` of a notebook, as its file has them, in order.

    A `CellError` names an exercise that lacks a part or has one twice.
    """
    found, exercises, titles, label = [], {}, {}, None
    for at, cell in enumerate(cells):
        for title, label in _exercises(cell):
            exercises[label], titles[label] = {}, f"exercise, {title}"
        if "try" in _tags(cell):
            source = _source(cell)
            needs = preparation(cells, at, source)
            found.append(Try(cell["id"], "a cell to change", at, source, needs))
        for part in _tags(cell) & set(PARTS):
            if label is None or part in exercises[label]:
                raise CellError(f"cell {at}, {part}: {label or 'no exercise'} has one already")
            exercises[label][part] = at, _source(cell)
    for label, parts in exercises.items():
        if not parts:
            continue
        if tuple(parts) != PARTS:
            raise CellError(f"{label} needs {', '.join(PARTS)} in this order, has {[*parts]}")
        (at, starter), (check_at, check), (_, solution) = parts.values()
        needs = preparation(cells, at, f"{starter}\n{check}", solution)
        found.append(Try(label, titles[label], at, starter, needs, check, solution, check_at))
    return sorted(found, key=lambda one: one.at)


def names_of(cell):
    """Names that a cell reads from cells before it, and names that it binds."""
    if cell["cell_type"] != "code":
        return set(), set()
    reads, binds = _flow(ast.parse(_source(cell)).body)
    return reads - KNOWN, binds


def preparation(cells, at, *sources):
    """The statements before cell `at` that the code in `sources` needs, as code.

    Cells of exercises bind nothing for others. What a function needs when it is called counts
    as well; what a statement changes without naming it does not.
    """
    statements = [
        statement
        for cell in cells[:at]
        if cell["cell_type"] == "code" and not _tags(cell) & set(PARTS)
        for statement in _statements(_source(cell))
    ]
    needed = {}
    wanted = [
        (name, len(statements))
        for source in sources
        for name in _flow(ast.parse(source).body)[0] - KNOWN
    ]
    seen = set(wanted)
    while wanted:
        name, limit = wanted.pop()
        for i in reversed(range(limit)):
            statement = statements[i]
            if name not in statement.binds:
                continue
            needed.setdefault(i, set()).add(name)
            # A function meets its names when it is called, which is after all of them.
            later = len(statements) if statement.is_function else i
            more = {(read, later) for read in statement.reads - KNOWN} - seen
            wanted += sorted(more)
            seen |= more
            if name in statement.makes:
                break
    return "\n".join(statements[i].narrow(needed[i]) for i in sorted(needed))


def _source(cell):
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _tags(cell):
    return set(cell["metadata"].get("tags", ()))


def _exercises(cell):
    """Title and label of each exercise that a cell of text holds."""
    return EXERCISE.findall(_source(cell)) if cell["cell_type"] == "markdown" else []


@cache
def _statements(source):
    """What stands in a cell; each cell to change asks for all before it."""
    return [_Statement(source, node) for node in ast.parse(source).body]


class _Statement:
    """What one statement at the top of a cell reads, binds, and makes anew."""

    def __init__(self, source, node):
        self.node = node
        lines = source.splitlines()
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        self.source = "\n".join(lines[first - 1 : node.end_lineno])
        self.is_function = isinstance(node, ast.FunctionDef)
        self.reads, self.binds = _flow([node])
        changed = set()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            # A call such as ``games.append(…)`` may change what it is called on.
            function = node.value.func
            changed = _root(function) if isinstance(function, ast.Attribute) else set()
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript | ast.Attribute):
                changed |= set() if isinstance(part.ctx, ast.Load) else _root(part)
        is_whole = isinstance(
            node, ast.Assign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef
        )
        self.makes = self.binds - self.reads if is_whole else set()
        self.binds = self.binds | changed

    def narrow(self, names):
        """The statement, without modules that it imports and nobody needs: they can be large."""
        if not isinstance(self.node, ast.Import | ast.ImportFrom):
            return self.source
        node = ast.parse(self.source.strip()).body[0]

        def is_kept(alias):
            is_needed = (alias.asname or alias.name).split(".")[0] in names
            return is_needed or not _is_module(node, alias.name)

        node.names = list(filter(is_kept, node.names))
        return ast.unparse(node)


def _is_module(node, name):
    """Whether what a statement imports by this name is a module."""
    if isinstance(node, ast.Import):
        return True
    try:
        return find_spec(f"{node.module}.{name}") is not None
    except ImportError:  # of what is no package
        return False


def _root(part):
    """The name that ``a.b[c].d`` starts with, as a set; empty if it starts with none."""
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return {part.id} if isinstance(part, ast.Name) else set()


def _flow(nodes):
    """Names that statements read before they have bound them, and names that they bind."""
    reads, binds = set(), set()
    for node in nodes:
        for inside_reads, inside_binds in _steps(node):
            reads |= inside_reads - binds
            binds |= inside_binds
    return reads, binds


def _steps(node):
    """What a statement reads and binds, in the order in which it does."""
    match node:
        case ast.For():
            yield _names(node.iter)
            yield set(), _names(node.target)[1]
        case ast.With():
            for item in node.items:
                yield _names(item.context_expr)
                if item.optional_vars is not None:
                    yield set(), _names(item.optional_vars)[1]
        case ast.If() | ast.While():
            yield _names(node.test)
        case ast.Try():
            pass
        case _:
            yield _names(node)
            return
    yield _flow(node.body)
    for handler in getattr(node, "handlers", ()):
        yield _flow(handler.body)
    yield _flow(getattr(node, "orelse", ()))
    yield _flow(getattr(node, "finalbody", ()))


def _names(*nodes):
    """Names of the module that code reads, and those that it binds.

    Those of functions and comprehensions are not the module's. (`symtable` would tell, but
    from Python 3.12 on it counts the variables of comprehensions to what is around them.)
    """
    reads, binds = set(), set()
    for node in nodes:
        outside, inside, own = [*ast.iter_child_nodes(node)], [], set()
        match node:
            case ast.Name(ctx=ast.Load()):
                reads.add(node.id)
            case ast.Name():
                binds.add(node.id)
            case ast.alias():
                binds.add((node.asname or node.name).split(".")[0])
            case ast.AugAssign(target=ast.Name()):
                reads.add(node.target.id)
            case ast.FunctionDef() | ast.Lambda():
                arguments = node.args
                outside = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
                outside += getattr(node, "decorator_list", [])
                inside = node.body if isinstance(node.body, list) else [node.body]
                own = {part.arg for part in ast.walk(arguments) if isinstance(part, ast.arg)}
            case ast.ClassDef():
                outside = [*node.bases, *node.keywords, *node.decorator_list]
                inside = node.body
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                outside, inside = [node.generators[0].iter], outside
                walruses = (p for p in ast.walk(node) if isinstance(p, ast.NamedExpr))
                binds |= {walrus.target.id for walrus in walruses}
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            binds.add(node.name)
            own.add(node.name)  # a function that calls itself needs no earlier one
        outer_reads, outer_binds = _names(*outside)
        inner_reads, inner_binds = _names(*inside)
        reads |= outer_reads | inner_reads - inner_binds - own
        binds |= outer_binds
    return reads, binds
