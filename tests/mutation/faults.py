"""Faults to plant: small changes of the source that a good test suite must notice. Pure: text in, faults out.

A fault replaces one piece of one function by another. Ten kinds; the first six are those of every mutation tool
(DeMillo, Lipton and Sayward, *Hints on test data selection*, 1978), the last four are this project's own:

    arithmetic   + for -, * for / …               colour      white for black
    comparison   == for !=, in for not in         permission  a check of who may, always passed
    boundary     < for <=, a number off by one    visibility  a filter of what a viewer may see, left out
    condition    and for or, if for if not        lock        a lock or a transaction left out
    forgotten    a statement left out
    filter       a condition of a query left out

Not planted: anything outside a function (imports, fields, tables of constants), texts, docstrings and annotations.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from tests.test_architecture import layer

# Planted everywhere. The other kinds are planted in rules and use cases only (layers 1 and 3 of the layout).
WHO_MAY = ("permission", "visibility", "lock")
# How many of each kind are drawn when 200 are asked for; another number is shared out in the same proportions.
SHARES = {
    "arithmetic": 30,
    "comparison": 24,
    "boundary": 30,
    "condition": 24,
    "forgotten": 30,
    "filter": 12,
    "colour": 14,
    "permission": 14,
    "visibility": 12,
    "lock": 10,
}
# Operator → kind, as it is written, as it is written wrongly.
OPERATORS: dict[type[ast.operator | ast.cmpop | ast.boolop], tuple[str, str, str]] = {
    ast.Add: ("arithmetic", "+", "-"),
    ast.Sub: ("arithmetic", "-", "+"),
    ast.Mult: ("arithmetic", "*", "/"),
    ast.Div: ("arithmetic", "/", "*"),
    ast.FloorDiv: ("arithmetic", "//", "*"),
    ast.Mod: ("arithmetic", "%", "//"),
    ast.Pow: ("arithmetic", "**", "*"),
    ast.Eq: ("comparison", "==", "!="),
    ast.NotEq: ("comparison", "!=", "=="),
    ast.In: ("comparison", "in", "not in"),
    ast.NotIn: ("comparison", "not in", "in"),
    ast.Is: ("comparison", "is", "is not"),
    ast.IsNot: ("comparison", "is not", "is"),
    ast.Lt: ("boundary", "<", "<="),
    ast.LtE: ("boundary", "<=", "<"),
    ast.Gt: ("boundary", ">", ">="),
    ast.GtE: ("boundary", ">=", ">"),
    ast.And: ("condition", "and", "or"),
    ast.Or: ("condition", "or", "and"),
}
SIGHT = re.compile(r"visib|hidden|public=|private|viewer|level|names_seen|published=|erased|minor")
MAY = re.compile(r"^_?may_|^has_perms?$|^has_\w+_permission$")
CHECK = re.compile(r"^_?check_may|^_?require_")
COLOUR = re.compile(r"white|black", re.IGNORECASE)
OTHER_COLOUR = {
    "white": "black",
    "black": "white",
    "White": "Black",
    "Black": "White",
    "WHITE": "BLACK",
    "BLACK": "WHITE",
}


@dataclass(frozen=True)
class Fault:
    """One change: in `path`, the bytes from `start` to `end` become `text`; `before` is what stood there.

    `reached_at` is the line before which a call can be written that records that the changed place was reached.
    """

    kind: str
    path: str
    function: str
    line: int
    start: int
    end: int
    before: str
    text: str
    reached_at: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.kind}: {_short(self.before)} → {_short(self.text)}"

    @property
    def change(self) -> tuple[str, ...]:
        """The same wherever the function is moved in its file."""
        return self.kind, self.path, self.function, self.before, self.text

    def plant(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "…"


def find_faults(path: str, source: bytes) -> list[Fault]:
    """Every fault that can be planted in that source, in the order of the text."""
    found = {(fault.start, fault.end, fault.text): fault for fault in _Finder(path, source).faults()}
    all_kinds = layer(path.removesuffix(".py").replace("/", ".")) in (1, 3)
    return [found[key] for key in sorted(found) if all_kinds or found[key].kind in WHO_MAY]


def draw(sources: Mapping[str, bytes], count: int, seed: int) -> list[Fault]:
    """So many faults by lot from those files, each kind by its share: the same ones for the same files, count and seed.

    A place whose changed source does not compile is passed over.
    """
    rng = Random(seed)
    drawn: list[Fault] = []
    faults = [fault for path in sorted(sources) for fault in find_faults(path, sources[path])]
    for kind, share in SHARES.items():
        all_of_it = [fault for fault in faults if fault.kind == kind]
        rng.shuffle(all_of_it)
        sound = (fault for fault in all_of_it if _compiles(fault.plant(sources[fault.path])))
        drawn += islice(sound, round(count * share / sum(SHARES.values())))
    return sorted(drawn, key=lambda fault: (fault.path, fault.start))


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "fault", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Finder:
    """The faults of one file. AST positions are a line and a column in bytes; the faults' are offsets in the file."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        # May a colour be swapped? Only for a name that the file knows.
        self.words = set(re.findall(rb"\w+", source))

    def faults(self) -> Iterator[Fault]:
        yield from self._in_block(ast.parse(self.source).body, "")

    def _in_block(self, body: Sequence[ast.stmt], owner: str) -> Iterator[Fault]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from self._in_block(node.body, f"{owner}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                yield from self._in_function(node, f"{owner}{node.name}")

    def _in_function(self, function: ast.FunctionDef, name: str) -> Iterator[Fault]:
        body = function.body[1:] if _is_text(function.body[0]) else function.body
        if body:
            for decorator in function.decorator_list:
                yield from self._without_decorator(decorator, name, body[0].lineno)
        for statement in body:
            yield from self._in_statement(statement, name, statement.lineno)

    def _in_statement(self, node: ast.stmt, name: str, reached_at: int) -> Iterator[Fault]:
        """The statement itself, its own expressions, then the statements inside it."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if isinstance(node, ast.FunctionDef):
                yield from self._in_function(node, f"{name}.{node.name}")
            return
        for kind, start, end, text in self._of_statement(node):
            yield self._fault(kind, name, reached_at, start, end, text)
        for field, value in ast.iter_fields(node):
            inner = value if isinstance(value, list) else [value]
            for each in inner:
                if isinstance(each, ast.stmt):
                    # `elif` is an `if` inside the other branch: nothing can be written before it.
                    chained = field == "orelse" and isinstance(node, ast.If) and self._at(each).startswith(b"elif")
                    yield from self._in_statement(each, name, reached_at if chained else each.lineno)
                elif isinstance(each, ast.ExceptHandler | ast.match_case):
                    for statement in each.body:
                        yield from self._in_statement(statement, name, statement.lineno)
                elif isinstance(each, ast.withitem):
                    yield from self._in_expression(each.context_expr, name, reached_at)
                elif isinstance(each, ast.expr) and field not in ("annotation", "type_comment"):
                    yield from self._in_expression(each, name, reached_at)

    def _of_statement(self, node: ast.stmt) -> Iterator[tuple[str, int, int, str]]:
        start, end = self._span(node)
        if isinstance(node, ast.If | ast.While):
            test_start, test_end = self._span(node.test)
            if any(isinstance(each, ast.Raise) and b"PermissionDenied" in self._of(each) for each in node.body):
                yield "permission", test_start, test_end, "False"
            elif isinstance(node, ast.If):
                yield "condition", test_start, test_end, f"not ({self._text(node.test)})"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = _called(node.value)
            kind = "permission" if CHECK.match(called) else "forgotten"
            if "lock" in called or "for_update" in self._text(node):
                kind = "lock"
            yield kind, start, end, "pass"
        elif isinstance(node, ast.AugAssign | ast.Raise | ast.Continue) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
        ):
            yield "forgotten", start, end, "pass"

    def _in_expression(self, top: ast.expr, name: str, reached_at: int) -> Iterator[Fault]:
        waiting: list[ast.AST] = [top]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.JoinedStr | ast.Lambda):
                continue  # positions inside an f-string are not to be relied on before Python 3.12
            if isinstance(node, ast.expr):
                for kind, start, end, text in self._of_expression(node):
                    yield self._fault(kind, name, reached_at, start, end, text)
            waiting += ast.iter_child_nodes(node)

    def _of_expression(self, node: ast.expr) -> Iterator[tuple[str, int, int, str]]:
        start, end = self._span(node)
        if isinstance(node, ast.BinOp) and not _has_text(node):
            yield from self._of_operator(node.op, node.left, node.right)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from self._of_operator(node.ops[0], node.left, node.comparators[0])
        elif isinstance(node, ast.BoolOp):
            yield from self._of_operator(node.op, *node.values[:2])
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield "boundary", start, end, str(node.value + 1)
        elif isinstance(node, ast.Name | ast.Attribute | ast.Constant):
            yield from self._other_colour(node)
        elif isinstance(node, ast.Call):
            yield from self._of_call(node, start, end)

    def _of_operator(
        self, operator: ast.operator | ast.cmpop | ast.boolop, left: ast.expr, right: ast.expr
    ) -> Iterator[tuple[str, int, int, str]]:
        if type(operator) not in OPERATORS:
            return
        kind, written, other = OPERATORS[type(operator)]
        after, until = self._span(left)[1], self._span(right)[0]
        place = self.source.find(written.encode(), after, until)  # -1 where it is broken over two lines
        if place >= 0:
            yield kind, place, place + len(written), other

    def _of_call(self, node: ast.Call, start: int, end: int) -> Iterator[tuple[str, int, int, str]]:
        called = _called(node)
        if MAY.match(called) and re.search(r"request|user", self._text(node)):
            yield "permission", start, end, "True"
        elif called in ("sees_name", "sees_page"):
            yield "visibility", start, end, "True"
        elif called == "shown_name" and self._text(node.args[-1]) != "OFFICER":
            yield "visibility", start, end, f"{self._text(node.args[0])}.name"
        elif isinstance(node.func, ast.Attribute) and called in ("filter", "exclude", "select_for_update"):
            kind = "visibility" if SIGHT.search(self._text(node)[len(self._text(node.func)) :]) else "filter"
            kept = self._text(node.func.value) + (".all()" if self._is_manager(node.func.value) else "")
            yield "lock" if called == "select_for_update" else kind, start, end, kept

    def _without_decorator(self, node: ast.expr, name: str, reached_at: int) -> Iterator[Fault]:
        text = self._text(node)
        kind = "lock" if "atomic" in text else "permission" if re.search(r"required|only|may", text) else ""
        if kind:
            start, end = self._span(node)
            # The line stays, as a comment: nothing below it moves.
            yield self._fault(kind, name, reached_at, start - 1, end, "# " + " ".join(text.split()))

    def _other_colour(self, node: ast.Name | ast.Attribute | ast.Constant) -> Iterator[tuple[str, int, int, str]]:
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else node.value
        if not isinstance(word, str) or not word.isidentifier() or not COLOUR.search(word):
            return
        other = COLOUR.sub(lambda found: OTHER_COLOUR.get(found[0], found[0]), word)
        if other == word or other.encode() not in self.words:
            return
        start, end = self._span(node)
        text = self._text(node)
        yield "colour", start, end, text[: text.rindex(word)] + other + text[text.rindex(word) + len(word) :]

    def _fault(self, kind: str, name: str, reached_at: int, start: int, end: int, text: str) -> Fault:
        line = self.source.count(b"\n", 0, start) + 1
        before = self.source[start:end].decode()
        return Fault(kind, self.path, name, line, start, end, before, text, reached_at)

    def _is_manager(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in ("objects", "_default_manager")

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _of(self, node: ast.expr | ast.stmt) -> bytes:
        start, end = self._span(node)
        return self.source[start:end]

    def _text(self, node: ast.expr | ast.stmt) -> str:
        return self._of(node).decode()

    def _at(self, node: ast.stmt) -> bytes:
        return self.source[self._span(node)[0] :][:5]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_text(node: ast.BinOp) -> bool:
    """Whether that sum is one of texts, or a `%` that fills one in."""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(node)
    )


def _called(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
