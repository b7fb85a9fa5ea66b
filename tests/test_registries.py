"""Contracts over every member of every registry: whoever adds a system gets these tests for nothing."""

from collections import Counter
from collections.abc import Callable
from copy import copy
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ratings.systems import SYSTEMS, RatingSystem, rating_system
from ratings.systems.base import Memory, PlayedGame, PlayerState, Start, order_key
from ratings.systems.encounter import rate_single
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests.choosing import everything
from tournaments.pairing import PAIRING_SYSTEMS, PairingError, PairingSystem, pairing_system
from tournaments.pairing.base import (
    BracketSystem,
    Field,
    FreeSystem,
    PlanSystem,
    RoundSystem,
    ScheduleSystem,
    read_options,
)
from tournaments.pairing.team_base import (
    Kind,
    TeamBoards,
    TeamBracket,
    TeamFormat,
    TeamRounds,
    TeamSchedule,
    check_size,
)
from tournaments.pairing.team_formats import TEAM_FORMATS, team_format
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.pairing import pair_teams
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, POINT_SYSTEMS, Result, point_system, seen_from_black
from tournaments.standings.team_event import TeamScoring
from tournaments.standings.tiebreaks import TIEBREAKS

ALGORITHMS = Path(__file__).resolve().parent.parent / "docs" / "algorithms"
each_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.key)
WAYS = [(system, {"preset": preset}) for system in SYSTEMS for preset in system.presets]
WAYS += [(system, {}) for system in SYSTEMS if not system.presets]
WAYS += [
    (rating_system(key), {"period": period}) for key in ("elo", "glicko", "glicko2") for period in ("day", "month")
]
WAYS += [(rating_system(key), {"period": "event"}) for key in ("elo", "glicko", "glicko2")]
WAYS += [(rating_system("elo"), {"newcomer_k": kind}) for kind in ("until-known", "evidence")]
each_way = pytest.mark.parametrize(
    ("system", "raw"), WAYS, ids=lambda value: value.key if hasattr(value, "key") else "-".join(value.values())
)
each_pairing = pytest.mark.parametrize("pairing", PAIRING_SYSTEMS, ids=lambda system: system.key)


def of_kind(kind: type) -> list[Any]:
    return [system for system in PAIRING_SYSTEMS if isinstance(system, kind)]


def test_every_key_stands_once_and_has_its_page() -> None:
    """Point systems are explained with the tie-breaks, and have no page of their own."""
    rated, paired = [system.key for system in SYSTEMS], [system.key for system in PAIRING_SYSTEMS]
    codes, points = [rule.code for rule in TIEBREAKS], [system.key for system in POINT_SYSTEMS]
    for keys in (rated, paired, codes, points):
        assert len(keys) == len(set(keys))
    assert [key for key in (*rated, *paired, *codes) if not (ALGORITHMS / f"{key}.md").is_file()] == []


@each_system
def test_the_page_of_a_rating_system_says_whether_it_rates_contests_with_sides(system: RatingSystem) -> None:
    page = (ALGORITHMS / f"{system.key}.md").read_text()
    rates_sides = system.contest_rater(system.read_settings({})) is not None
    assert ("**Contests with sides too**" in page) == rates_sides
    assert ("**Games of two only**" in page) != rates_sides


@each_system
def test_a_rating_system_reads_its_settings(system: RatingSystem) -> None:
    assert rating_system(system.key) is system
    settings = system.read_settings({})
    assert system.read_settings(system.stored_settings(settings)) == settings, "stored settings read the same again"
    for preset in system.presets:
        assert system.read_settings(system.stored_settings(system.read_settings({"preset": preset})))
    with pytest.raises(ValueError, match="has no setting"):
        system.read_settings({"no such setting": 1})


@each_way
def test_rating_a_game_keeps_the_contract(system: RatingSystem, raw: dict[str, str]) -> None:
    settings = system.read_settings(raw)
    for score in (1.0, 0.5, 0.0):
        white, black = (_state(1, system, settings), _state(2, system, settings))
        before = (copy(white), copy(black))
        for side, state in zip(rate_single(system, settings, white, black, score, DAY), before, strict=True):
            assert side.before == state.rating, "the row holds the rating it was computed from"
            assert side.expected is None or 0 <= side.expected <= 1
            assert side.after is not None or score == 0.5, "a draw may be none of its games"
        assert (white, black) == before, "rating a single game changes nothing of the caller's"


@each_way
def test_a_win_never_lowers_and_a_loss_never_raises(system: RatingSystem, raw: dict[str, str]) -> None:
    """R2 and Solo-Zerg break this at their floor and by normalising the field: shown in their own tests, and not
    reached from the start value."""
    settings = system.read_settings(raw)
    white, black = (_state(1, system, settings), _state(2, system, settings))
    winner, loser = rate_single(system, settings, white, black, 1.0, DAY)
    assert (winner.after or 0) >= (winner.before or 0)
    assert (loser.after or 0) <= (loser.before or 0)


@each_way
def test_expectations_of_both_sides_add_up(system: RatingSystem, raw: dict[str, str]) -> None:
    settings = system.read_settings(raw)
    white, black = (_state(number, system, settings) for number in (1, 2))
    white.rating += 137
    expected, other = system.expected(settings, white, black), system.expected(settings, black, white)
    assert (expected is None) == (other is None)
    assert expected is None or expected + (other or 0) == pytest.approx(1)


@each_way
def test_the_order_of_players_does_not_matter(system: RatingSystem, raw: dict[str, str]) -> None:
    games = _season()
    states = _rate(system, raw, games)
    renamed = [game._replace(white=100 - game.white, black=100 - game.black) for game in games]
    other = _rate(system, raw, renamed)
    assert states.keys() == {100 - player for player in other}
    assert all(states[player].rating == pytest.approx(other[100 - player].rating, abs=1e-6) for player in states)


@each_way
def test_one_by_one_equals_all_at_once(system: RatingSystem, raw: dict[str, str]) -> None:
    """Stopping between two months and going on from the states is the same as not stopping, for every system that
    keeps all it remembers in them."""
    settings = system.read_settings(raw)
    if system.memory(settings) == Memory.HISTORY:
        return
    games = _season()
    cut = next(n for n, game in enumerate(games) if game.played_on.month == 2)
    states = _rate(system, raw, games[:cut])
    assert _rate(system, raw, games[cut:], states) == _rate(system, raw, games)


DAY = date(2026, 1, 5)


def _state(player: int, system: RatingSystem, settings: object) -> PlayerState:
    return system.newcomer(settings, None, DAY.toordinal()) or PlayerState(1700.0, 50, 1700.0)


def _season() -> list[PlayedGame]:
    """Sixty games of eight players in three events, over two months."""
    games = []
    for number in range(1, 61):
        white, black = 1 + number % 8, 1 + (number * 3 + 1) % 8
        if white == black:
            black = 1 + black % 8
        on = DAY + timedelta(days=number // 2)
        score = (1.0, 0.5, 0.0, 1.0)[number % 4]
        event = "second" if on.month == 2 else ("first", "other")[number % 2]
        games.append(PlayedGame(number, white, black, score, order_key(on, number), on.toordinal(), event))
    return games


def _rate(
    system: RatingSystem, raw: dict[str, str], games: list[PlayedGame], states: dict[int, PlayerState] | None = None
) -> dict[int, PlayerState]:
    """Rate the games; from nothing (no states) with a few ratings brought in, since FIDE rates nobody where nobody is
    rated. Player 1 is called 99 where the numbers are turned round."""
    states = {} if states is None else states
    names = range(1, 4) if games[0].white < 50 else range(99, 96, -1)
    brought = {name: Start(name, date(2026, 1, 1), 1600.0 + place, 40) for place, name in enumerate(names)}
    starts = [] if states or system.key == "kd" else [brought[name] for name in sorted(brought)]
    rules = DatedRules([DatedRule(date(1900, 1, 1), system, system.read_settings(raw))])
    list(replay(games, starts, states=states, birth_years={}, rules=rules))
    return states


@each_pairing
def test_a_pairing_system_keeps_its_contract(pairing: PairingSystem) -> None:
    assert pairing_system(pairing.key) is pairing
    assert pairing.name
    assert 0 <= pairing.min_players <= pairing.max_players
    assert isinstance(pairing.allocated_bye_scores, bool)
    kinds = (ScheduleSystem, RoundSystem, BracketSystem, FreeSystem, PlanSystem)
    assert sum(isinstance(pairing, kind) for kind in kinds) == 1, "a system is of one kind"


@pytest.mark.parametrize("pairing", [*PAIRING_SYSTEMS, *TEAM_FORMATS], ids=lambda system: system.key)
def test_options_of_a_pairing_system_read_their_defaults_and_words(pairing: PairingSystem | TeamFormat) -> None:
    keys = [option.key for option in pairing.options]
    assert len(keys) == len(set(keys))
    defaults = read_options(pairing.options, {})
    assert read_options(pairing.options, defaults) == defaults
    for option in pairing.options:
        assert option.label
        for value, words in option.choices:
            assert option.read(value) == value
            assert words
        if not option.choices and option.reads is None and not isinstance(option.default, bool):
            assert option.lowest <= int(option.default) <= option.highest
            with pytest.raises(PairingError, match=option.key):
                option.read(option.highest + 1)
    with pytest.raises(PairingError, match="There is no setting"):
        read_options(pairing.options, {"no such setting": 1})


KINDS = {
    Kind.SCHEDULE: TeamSchedule,
    Kind.ROUNDS: TeamRounds,
    Kind.BRACKET: TeamBracket,
    Kind.BOARDS: TeamBoards,
}


QUICKLY_PAIRED = 40  # teams; the largest field takes seconds


@pytest.mark.parametrize("form", TEAM_FORMATS, ids=lambda form: form.key)
def test_a_format_of_teams_keeps_its_contract(form: TeamFormat) -> None:
    assert team_format(form.key) is form
    assert [one.key for one in TEAM_FORMATS].count(form.key) == 1
    assert f"`{form.key}`" in (ALGORITHMS / f"{form.page}.md").read_text(), "its page names it"
    assert [kind for kind, protocol in KINDS.items() if isinstance(form, protocol)] == [form.kind]
    sizes = sorted({form.min_teams, min(form.min_teams + 5, form.max_teams), form.max_teams})
    for teams in sizes:
        if isinstance(form, TeamSchedule):
            for matches in form.schedule(teams, {}):
                seated = [team for pair in matches for team in (pair.white, pair.black) if team]
                assert sorted(seated) == list(range(1, teams + 1))
        if isinstance(form, TeamBracket):
            seeds = [line.seed for match in form.bracket(teams, {}, Random(1)) for line in (match.upper, match.lower)]
            assert sorted(filter(None, seeds)) == list(range(1, teams + 1))
        if isinstance(form, TeamRounds) and (teams <= QUICKLY_PAIRED or everything()):
            everybody, settings = tuple(range(1, teams + 1)), form.field_settings({})
            field = TeamField(everybody, frozenset(everybody), (), (), 1, scoring=TeamScoring(4), **settings)
            assert len(pair_teams(field)) == (teams + 1) // 2
    if isinstance(form, TeamBoards):
        assert len(form.boards(4, {})) == 4
    for teams in (form.min_teams - 1, form.max_teams + 1):
        with pytest.raises(PairingError):
            check_size(form, teams)


def made_or_reason(make: Callable[..., Any], *given: Any) -> Any:
    """What was made, or the sentence that says why not."""
    try:
        return make(*given)
    except PairingError as refusal:
        return str(refusal)


def sizes_of(pairing: PairingSystem) -> list[int]:
    """Every field up to forty, then some up to the largest."""
    last = pairing.max_players
    return sorted({*range(pairing.min_players, min(last, 40) + 1), *range(41, last, last // 5), last})


@pytest.mark.parametrize("pairing", of_kind(ScheduleSystem), ids=lambda system: system.key)
@pytest.mark.parametrize("cycles", [1, 2])
def test_a_schedule_seats_everybody_once_a_round_and_nobody_meets_too_often(
    pairing: ScheduleSystem, cycles: int
) -> None:
    planned = 0
    for players in range(pairing.min_players, pairing.max_players + 1):
        rounds = made_or_reason(pairing.schedule, players, {"cycles": cycles})
        if isinstance(rounds, str):
            assert rounds.endswith("."), "a sentence says why"
            continue
        planned += 1
        met: Counter[frozenset[int]] = Counter()
        for boards in rounds:
            seated = [number for board in boards for number in (board.white, board.black) if number is not None]
            assert sorted(seated) == list(range(1, players + 1)), "everybody sits once in every round"
            assert [board.is_bye for board in boards] == sorted(board.is_bye for board in boards), "byes come last"
            met.update(frozenset((board.white, board.black)) for board in boards if board.black is not None)
        assert set(met.values()) <= {cycles}, "nobody meets more often than due"
    assert planned >= (pairing.max_players - pairing.min_players) // 2
    for players in (pairing.min_players - 1, pairing.max_players + 1):
        with pytest.raises(PairingError):
            pairing.schedule(players, {})


@pytest.mark.parametrize("pairing", of_kind(RoundSystem), ids=lambda system: system.key)
def test_a_round_seats_everybody_who_is_there_once_or_says_why_not(pairing: RoundSystem) -> None:
    for players in sizes_of(pairing)[:: 3 if pairing.max_players <= 200 else 20]:
        everybody = tuple(range(1, players + 1))
        for present in (frozenset(everybody), frozenset(everybody[1:]) if players > 2 else frozenset(everybody)):
            field = Field(everybody, present, (), (), frozenset(), 1)
            boards = made_or_reason(pairing.pair_round, field, {})
            if isinstance(boards, str):
                assert boards.endswith("."), "a sentence says why"
                continue
            seated = [number for board in boards for number in (board.white, board.black) if number is not None]
            assert sorted(seated) == sorted(present)
            assert sum(board.is_bye for board in boards) == len(present) % 2
            assert not any(board.is_bye for board in boards[:-1]), "the bye comes last"
            assert pairing.pair_round(field, {}) == boards, "the same field, the same round"


@pytest.mark.parametrize("pairing", of_kind(BracketSystem), ids=lambda system: system.key)
def test_a_bracket_has_room_for_everybody_and_every_match_has_its_feeders(pairing: BracketSystem) -> None:
    for players in sizes_of(pairing):
        bracket = pairing.bracket(players, {}, Random(1))
        assert list(bracket) == sorted(bracket, key=lambda match: (match.round, match.board))
        sources = [source for match in bracket for source in (match.upper, match.lower)]
        assert sorted(source.seed for source in sources if source.seed) == list(range(1, players + 1))
        keys = {(match.round, match.board) for match in bracket}
        assert len(keys) == len(bracket)
        feeders = [(source.match, source.loser) for source in sources if source.match]
        assert len(feeders) == len(set(feeders)), "nobody goes to two matches"
        for match in bracket:
            for source in (match.upper, match.lower):
                assert source.match is None or (source.match in keys and source.match[0] < match.round)
    for players in (pairing.min_players - 1, pairing.max_players + 1):
        with pytest.raises(PairingError):
            pairing.bracket(players, {}, Random(1))


@pytest.mark.parametrize("pairing", of_kind(PlanSystem), ids=lambda system: system.key)
def test_a_plan_names_known_formats_with_settings_they_read(pairing: PlanSystem) -> None:
    for players in range(pairing.min_players, 41):
        stages = pairing.plan(players, {}, Random(1))
        parts = [stage.part for stage in stages]
        assert parts == sorted(parts)
        assert set(parts) == set(range(1, parts[-1] + 1)), "parts count from one"
        assert len({stage.name for stage in stages}) == len(stages)
        for stage in stages:
            system = pairing_system(stage.system)
            assert not isinstance(system, PlanSystem)
            assert read_options(system.options, stage.settings)
            assert not stage.numbers or system.min_players <= len(stage.numbers) <= system.max_players
        first = [number for stage in stages if stage.part == 1 for number in stage.numbers]
        assert sorted(first) == list(range(1, players + 1)), "everybody plays in the first part, once"
        assert pairing.qualifies == any(not stage.numbers for stage in stages)
        assert stages == pairing.plan(players, {}, Random(1))
    for players in (pairing.min_players - 1, pairing.max_players + 1):
        with pytest.raises(PairingError):
            pairing.plan(players, {}, Random(1))


@pytest.mark.parametrize("pairing", of_kind(FreeSystem), ids=lambda system: system.key)
def test_a_free_format_says_whether_places_move(pairing: FreeSystem) -> None:
    assert isinstance(pairing.ladder, bool)
    assert pairing.allocated_bye_scores is False, "where nobody is paired nobody is left without an opponent"


@pytest.mark.parametrize("points", POINT_SYSTEMS, ids=lambda points: points.key)
def test_a_point_system_orders_win_draw_loss(points: object) -> None:
    system = point_system(points.key)  # type: ignore[attr-defined]
    assert system.win > system.draw > system.loss >= 0
    assert system.name
    assert (system.share("win"), system.share("draw"), system.share("loss")) == (system.win, system.draw, system.loss)
    assert system.share(None) == 0
    if system.after_draw:
        won, lost = system.after_draw
        assert system.win > won > lost >= system.draw > system.loss, "an armageddon game takes nothing away"


@pytest.mark.parametrize("code", list(Result), ids=repr)
def test_every_result_code_means_something_on_both_sides(code: Result) -> None:
    outcome, mirrored = OUTCOMES[code], OUTCOMES[seen_from_black(code)]
    assert (outcome.white, outcome.black) == (mirrored.black, mirrored.white)
    assert outcome.shown == mirrored.shown[::-1]
    assert (outcome.white is None) == (outcome.black is None) == (code not in DECIDED_RESULTS)
    assert not outcome.rated or (outcome.played and outcome.white is not None)
