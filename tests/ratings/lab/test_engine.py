"""Plain and compiled run one text. Numba's absence is told or done without; compiled, every digit is the same."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from ratings.lab import engine as engines
from ratings.lab.contenders import CONTENDERS, contenders
from ratings.lab.engine import PLAIN, Engine, NumbaMissingError, best_engine, compiled_engine
from ratings.lab.table import Table
from ratings.lab.world import stretches
from tests.ratings.lab.golden import STRENGTHS, golden_games, golden_ratings

FACTOR = 2.0


def doubled(value: float) -> float:
    return FACTOR * value


def doubled_root(value: float, times: float = 1.0, *, more: float = 0.0) -> float:
    return doubled(math.sqrt(value)) * times + more


@dataclass
class Noted:
    """Stands in for a compiler: notes what it was given."""

    names: list[str] = field(default_factory=list)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        self.names.append(function.__name__)

        def compiled(*args: Any, **more: Any) -> Any:
            return function(*args, **more)

        return compiled


@pytest.fixture
def no_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "numba", None)
    best_engine.cache_clear()
    yield
    best_engine.cache_clear()


def test_plainly_a_function_is_itself_and_what_is_none_is_left_alone() -> None:
    assert PLAIN.compile(doubled_root) is doubled_root
    assert not PLAIN.is_compiled
    noted = Noted()
    assert Engine("noted", noted).compile(math.sqrt) is math.sqrt
    assert not noted.names


def test_what_a_function_calls_is_compiled_with_it_and_every_one_once() -> None:
    noted = Noted()
    compiled = Engine("noted", noted).compile(doubled_root)
    assert noted.names == ["doubled", "doubled_root"]
    assert compiled(9.0, more=1.0) == doubled_root(9.0, more=1.0) == 7.0
    assert compiled is not doubled_root
    again = Noted()
    engine = Engine("noted", again)
    assert engine.compile(doubled_root) is engine.compile(doubled_root)
    engine.compile(doubled)
    assert again.names == ["doubled", "doubled_root"]


def test_a_closure_keeps_what_it_closed_over() -> None:
    def of(factor: float) -> Callable[[float], float]:
        def times(value: float) -> float:
            return doubled(value) * factor

        return times

    engine = Engine("noted", Noted())
    assert [engine.compile(of(factor))(3.0) for factor in (1.0, 5.0)] == [6.0, 30.0]


@pytest.mark.usefixtures("no_numba")
def test_without_numba_the_remedy_is_named_and_the_lab_runs_plainly() -> None:
    with pytest.raises(NumbaMissingError, match=r"pip install -r requirements-lab\.txt"):
        compiled_engine()
    assert best_engine() is PLAIN


def test_one_process_compiles_with_one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Engine] = []

    def make() -> Engine:
        made.append(Engine("noted", Noted()))
        return made[-1]

    best_engine.cache_clear()
    monkeypatch.setattr(engines, "compiled_engine", make)
    monkeypatch.setattr(engines, "find_spec", lambda name: name)
    assert best_engine() is best_engine() is made[0]
    best_engine.cache_clear()


@pytest.mark.extended
@pytest.mark.parametrize("key", golden_ratings())
def test_the_plain_run_ends_where_the_golden_file_says(key: str) -> None:
    """To nine digits: another machine's library of mathematics may differ in the last ones."""
    (each,) = contenders([key])
    table = Table(each, PLAIN, STRENGTHS)
    table.play(*golden_games())
    assert table.ratings == pytest.approx(golden_ratings()[key], rel=1e-9)
    golden = {each.system.key for each in contenders(list(golden_ratings()))}
    assert golden >= {each.system.key for each in CONTENDERS}


KINDS = ("kd", "elo", "glicko-c", "glicko2")  # no contender predicts otherwise than one of these


@pytest.mark.parametrize("keys", [("kd",), pytest.param([each.key for each in CONTENDERS], marks=pytest.mark.slow)])
def test_compiled_and_plain_agree_to_the_last_bit(keys: Sequence[str]) -> None:
    """Every contender on the golden stream with its tables; of each kind the way there; the games of a replication."""
    pytest.importorskip("numba")
    engine, games = best_engine(), golden_games()
    for each in contenders(keys):
        plain, compiled = (Table(each, one, STRENGTHS) for one in (PLAIN, engine))
        assert compiled.engine.is_compiled
        assert compiled.play(*games) == plain.play(*games), each.key
        assert (compiled.ratings, compiled.games, compiled.order) == (plain.ratings, plain.games, plain.order)
        if each.key in KINDS:
            for one, two in zip(compiled.trace(*games), plain.trace(*games), strict=True):
                assert list(map(repr, one)) == list(map(repr, two)), each.key
        compiled.join([80.0, 640.0])
        plain.join([80.0, 640.0])
        assert (compiled.look(), compiled.order) == (plain.look(), plain.order)
    for one, two in zip(*(stretches(30_000, 5, 2, each, newcomers=True) for each in (engine, PLAIN)), strict=True):
        assert (one.joining, list(one.white), list(one.black)) == (two.joining, list(two.white), list(two.black))
        assert list(one.scores) == list(two.scores)
