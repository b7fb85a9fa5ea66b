"""Arithmetic that a visitor types: read by this file into a tree of small functions, never run as code.

    formula    choice ["if" choice "else" formula]
    choice     comparisons joined by "and", "or", "not"; 1 is true, 0 is not
    arithmetic + - * / ^ (also **, from the right), numbers, names, brackets, the functions of FUNCTIONS

The order of operations is Python's, so the same formula gives the same double as a line of Python does; whole numbers
are doubles too. There are no loops and no calls of one's own: every term is worked out at most once, so a formula takes
no more steps than it has terms. Bounds: characters, terms, depth, and the size of what a named value may be.

What cannot be read raises `FormulaError` with field, line and character; so does what cannot be worked out, at the
operation that failed. Not done: text, lists, assignments inside formulas, random numbers.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from clubrating.ground.marks import marked, sentence

MOST_CHARACTERS = 1200  # of one field
MOST_TERMS = 300  # of all formulas of a system together
MOST_DEPTH = 25  # brackets in brackets
LONGEST_NAME = 20
LARGEST = 1e12  # that a number, a named value or a rating may be

Values = Sequence[float]
Term = Callable[[Values], float]


class Place(NamedTuple):
    """Where something stands: the field's name, line and character, both from 1."""

    field: str
    line: int
    character: int


class FormulaError(ValueError):
    """A formula cannot be read, or cannot be worked out. `what` is a sentence, `place` where; `game`: the ratings of
    the two players for whom it could not be worked out."""

    def __init__(self, place: Place, what: str, game: tuple[float, float] | None = None) -> None:
        self.place, self.what, self.game = place, what, game
        super().__init__(sentence("Line %(line)s, character %(character)s: %(what)s", line=place.line,
                                  character=place.character, what=what))  # fmt: skip


# --- what formulas may call ------------------------------------------------------------------------------------------
def rounded(value: float) -> float:
    """The nearest whole number, halves away from zero, as ratings are rounded elsewhere in the club."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


def _cut(value: float) -> float:
    return float(int(value))


# By name: the fewest and the most arguments (None: any number), and the function.
FUNCTIONS: Mapping[str, tuple[int, int | None, Callable[..., float]]] = {
    "min": (2, None, min),
    "max": (2, None, max),
    "abs": (1, 1, abs),
    "exp": (1, 1, math.exp),
    "log": (1, 1, math.log),
    "sqrt": (1, 1, math.sqrt),
    "erf": (1, 1, math.erf),
    "round": (1, 1, rounded),
    "trunc": (1, 1, _cut),
}
WORDS = ("if", "else", "and", "or", "not")


# --- tokens ----------------------------------------------------------------------------------------------------------
class Token(NamedTuple):
    """A piece of a formula. `kind`: number, name, sign, word or end; `at`: its character, from 1."""

    kind: str
    text: str
    at: int


_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/"})
_ALIASES = {"**": "^", "≤": "<=", "≥": ">=", "≠": "!="}
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^()<>,≤≥≠])|(?P<blank>[ \t\r\n]+)"
)


def tokens(text: str, field: str, line: int, first: int = 1) -> list[Token]:
    """The pieces of a formula, an end behind them. `first`: the character its text begins with. Raises FormulaError."""
    found, at, plain = [], 0, text.translate(_SIGNS)
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            what: str = sentence("“%(sign)s” means nothing in a formula.", sign=_shown(text[at]))
            if plain[at] == "=":
                what = marked("to compare two values, write ==.")
            raise FormulaError(Place(field, line, first + at), what)
        kind, piece = match.lastgroup or "", match.group()
        if kind == "name" and piece in WORDS:
            kind = "word"
        if kind != "blank":
            found.append(Token(kind, _ALIASES.get(piece, piece), first + at))
        at = match.end()
    return [*found, Token("end", "", first + len(text.rstrip()))]


def _shown(sign: str) -> str:
    """The character, where it can be seen; else its number in Unicode."""
    return sign if sign.isprintable() and not sign.isspace() else f"U+{ord(sign):04X}"


# --- the tree --------------------------------------------------------------------------------------------------------
LEVELS = {"or": 1, "and": 2} | dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), 4)
LEVELS |= {"+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
NOT, COMPARES, SIGNED, POWER = 3, 4, 7, 8


TWO_SIDED: Mapping[str, Callable[[Term, Term], Term]] = {
    "+": lambda one, two: lambda known: one(known) + two(known),
    "-": lambda one, two: lambda known: one(known) - two(known),
    "*": lambda one, two: lambda known: one(known) * two(known),
    "<": lambda one, two: lambda known: 1.0 if one(known) < two(known) else 0.0,
    "<=": lambda one, two: lambda known: 1.0 if one(known) <= two(known) else 0.0,
    ">": lambda one, two: lambda known: 1.0 if one(known) > two(known) else 0.0,
    ">=": lambda one, two: lambda known: 1.0 if one(known) >= two(known) else 0.0,
    "==": lambda one, two: lambda known: 1.0 if one(known) == two(known) else 0.0,
    "!=": lambda one, two: lambda known: 1.0 if one(known) != two(known) else 0.0,
    "and": lambda one, two: lambda known: 1.0 if one(known) and two(known) else 0.0,
    "or": lambda one, two: lambda known: 1.0 if one(known) or two(known) else 0.0,
}


def _divided(one: Term, two: Term, place: Place) -> Term:
    def divide(known: Values) -> float:
        below = two(known)
        if below == 0.0:
            raise FormulaError(place, marked("here something is divided by zero."))
        return one(known) / below

    return divide


def _raised(one: Term, two: Term, place: Place) -> Term:
    def power(known: Values) -> float:
        base, exponent = one(known), two(known)
        try:
            found = base**exponent
        except OverflowError:
            raise FormulaError(place, marked("this power is too large to be written down.")) from None
        except ZeroDivisionError:
            raise FormulaError(place, marked("here something is divided by zero.")) from None
        if isinstance(found, complex):
            raise FormulaError(place, marked("a negative number has no such power."))
        return float(found)

    return power


def _joined(sign: str, one: Term, two: Term, place: Place) -> Term:
    """The term of a sign between two others."""
    if sign == "/":
        return _divided(one, two, place)
    return _raised(one, two, place) if sign == "^" else TWO_SIDED[sign](one, two)


def _called(name: str, terms: Sequence[Term], place: Place) -> Term:
    function = FUNCTIONS[name][2]
    if name in ("min", "max"):
        return lambda known: function([term(known) for term in terms])
    (term,) = terms

    def call(known: Values) -> float:
        value = term(known)
        try:
            return function(value)
        except (ValueError, OverflowError):
            what = sentence("%(function)s of %(value)s cannot be worked out.", function=name, value=f"{value:g}")
            raise FormulaError(place, what) from None

    return call


def _chosen(condition: Term, one: Term, other: Term) -> Term:
    return lambda known: one(known) if condition(known) else other(known)


class Budget:
    """How many terms may still be read; all formulas of a system share one."""

    def __init__(self, terms: int = MOST_TERMS) -> None:
        self.left = terms

    def spend(self, place: Place) -> None:
        """One term more. Raises FormulaError where there are too many."""
        self.left -= 1
        if self.left < 0:
            what = sentence("here is one term too many: all formulas together may have %(most)s.", most=MOST_TERMS)
            raise FormulaError(place, what)


class Reader:
    """Reads one formula. `known`: where the value of a name stands among the values a term is handed."""

    def __init__(self, found: Sequence[Token], known: Mapping[str, int], budget: Budget, field: str, line: int) -> None:
        self.found, self.known, self.budget = found, known, budget
        self.field, self.line = field, line
        self.next = self.depth = 0

    def whole(self) -> Term:
        """The formula, to its end. Raises FormulaError."""
        term = self._formula()
        if self._token.kind != "end":
            raise self._unexpected()
        return term

    @property
    def _token(self) -> Token:
        return self.found[self.next]

    def _takes(self, text: str) -> bool:
        """Whether this comes next; it is passed then."""
        is_there = self._token.text == text
        self.next += is_there
        return is_there

    def _place(self, token: Token) -> Place:
        return Place(self.field, self.line, token.at)

    def _error(self, token: Token, what: str) -> FormulaError:
        return FormulaError(self._place(token), what)

    def _unexpected(self) -> FormulaError:
        token = self._token
        if token.kind == "end":
            return self._error(token, marked("the formula ends too soon."))
        return self._error(token, sentence("“%(sign)s” cannot stand here.", sign=token.text[:LONGEST_NAME]))

    def _formula(self) -> Term:
        term, token = self._deeper(1), self._token
        if self._takes("if"):
            self.budget.spend(self._place(token))
            condition = self._choice(1)
            if not self._takes("else"):
                raise self._error(self._token, marked("“if” needs an “else”: write a if b else c."))
            self._descend()
            term = _chosen(condition, term, self._formula())
            self.depth -= 1
        return term

    def _descend(self) -> None:
        """One thing more within the others. Raises FormulaError where there are too many."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            what = sentence("here more than %(most)s things stand within each other.", most=MOST_DEPTH)
            raise self._error(self._token, what)

    def _choice(self, least: int) -> Term:
        """What binds at least that strongly."""
        term, compared = self._single(), False
        while (level := LEVELS.get(self._token.text, 0)) >= least:
            token = self._token
            if level == COMPARES and compared:
                raise self._error(token, marked("compare two values at a time, and join comparisons with “and”."))
            compared = compared or level == COMPARES
            self.budget.spend(self._place(token))
            self.next += 1
            other = self._deeper(POWER) if level == POWER else self._choice(level + 1)
            term = _joined(token.text, term, other, self._place(token))
        return term

    def _deeper(self, level: int) -> Term:
        """What a sign in front of it, or a power, takes: it may begin with one of them again."""
        self._descend()
        term = self._choice(level)
        self.depth -= 1
        return term

    def _single(self) -> Term:
        token = self._token
        self.budget.spend(self._place(token))
        if self._takes("-"):
            term = self._deeper(SIGNED)
            return lambda known: -term(known)
        if self._takes("+"):
            return self._deeper(SIGNED)
        if self._takes("not"):
            term = self._deeper(NOT)
            return lambda known: 0.0 if term(known) else 1.0
        if self._takes("("):
            term = self._formula()
            self._close()
            return term
        if token.kind == "number":
            return self._number(token)
        if token.kind == "name":
            return self._named(token)
        raise self._unexpected()

    def _close(self) -> None:
        if not self._takes(")"):
            if self._token.kind == "end":
                raise self._error(self._token, marked("a closing bracket is missing."))
            raise self._unexpected()

    def _number(self, token: Token) -> Term:
        self.next += 1
        value = float(token.text)
        if value > LARGEST:
            raise self._error(token, sentence("numbers go up to %(most)s.", most=f"{LARGEST:g}"))
        return lambda known: value

    def _named(self, token: Token) -> Term:
        self.next += 1
        if token.text in FUNCTIONS:
            return self._call(token)
        slot = self.known.get(token.text)
        if slot is None:
            names = ", ".join((*self.known, *FUNCTIONS))
            name = token.text[: 2 * LONGEST_NAME]
            raise self._error(token, sentence("there is no name “%(name)s” here; known are %(names)s.",
                                              name=name, names=names))  # fmt: skip
        return lambda known: known[slot]

    def _call(self, token: Token) -> Term:
        if not self._takes("("):
            raise self._error(token, sentence("%(name)s needs its brackets: %(name)s(…).", name=token.text))
        terms = [self._formula()]
        while self._takes(","):
            terms.append(self._formula())
        self._close()
        fewest, most, _function = FUNCTIONS[token.text]
        if len(terms) < fewest or (most is not None and len(terms) > most):
            what = marked("%(name)s takes one value.") if most == 1 else marked("%(name)s takes two values or more.")
            raise self._error(token, sentence(what, name=token.text))
        return _called(token.text, terms, self._place(token))


# --- formulas and lines of them --------------------------------------------------------------------------------------
class Formula(NamedTuple):
    """A formula ready to be worked out; `place` is where it begins."""

    term: Term
    place: Place

    def value(self, known: Values) -> float:
        """What it comes to. Raises FormulaError, also where that is no number up to LARGEST."""
        found = self.term(known)
        if -LARGEST <= found <= LARGEST:
            return found
        raise FormulaError(self.place, sentence("this comes to more than %(most)s.", most=f"{LARGEST:g}"))


def read_formula(
    text: str, field: str, known: Mapping[str, int], budget: Budget, line: int = 1, first: int = 1
) -> Formula:
    """A formula over the names of `known`. Raises FormulaError."""
    if len(text) > MOST_CHARACTERS:
        what = sentence("a formula has %(most)s characters at most; this one has %(found)s.",
                        most=MOST_CHARACTERS, found=len(text))  # fmt: skip
        raise FormulaError(Place(field, line, MOST_CHARACTERS + 1), what)
    found = tokens(text, field, line, first)
    return Formula(Reader(found, known, budget, field, line).whole(), Place(field, line, found[0].at))


_LINE = re.compile(r"(?P<name>[^=<>!≤≥≠]*?)\s*=(?!=)")


def read_lines(text: str, field: str, known: dict[str, int], budget: Budget) -> list[Formula]:
    """Lines `name = formula` in order; each name is added to `known` behind those before. Empty lines say nothing.
    Raises FormulaError."""
    if len(text) > MOST_CHARACTERS:
        read_formula(text, field, known, budget)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            name, formula = _named_line(line, Place(field, number, 1), known, budget)
            known[name] = len(known)
            found.append(formula)
    return found


def _named_line(line: str, place: Place, known: Mapping[str, int], budget: Budget) -> tuple[str, Formula]:
    match = _LINE.match(line)
    if match is None:
        raise FormulaError(place, marked("write a name, = and a formula, such as b = w + 10."))
    name = match["name"].strip()
    place = place._replace(character=len(line) - len(line.lstrip()) + 1)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or len(name) > LONGEST_NAME:
        what = sentence("a name is made of letters a to z and digits, at most %(most)s.", most=LONGEST_NAME)
        raise FormulaError(place, what)
    if name in known or name in FUNCTIONS or name in WORDS:
        raise FormulaError(place, sentence("the name “%(name)s” is taken: choose another one.", name=name))
    at = match.end()
    return name, read_formula(line[at:], place.field, known, budget, place.line, at + 1)
