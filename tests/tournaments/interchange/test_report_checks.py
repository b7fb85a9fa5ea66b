"""What a rating officer would refuse: nothing in a report in order; every defect alone, with the place to mend it."""

from dataclasses import replace

import pytest

from players.refusals import said
from tests.tournaments.interchange.trf_files import report, row
from tournaments.interchange.federations import FEDERATIONS
from tournaments.interchange.rate_of_play import is_too_short, rate_suits, read_rate
from tournaments.interchange.report_checks import Played, Terms, Weight, Where, check_report, count_played

HEAD = {
    "012": "Open", "022": "Here", "032": "GER", "042": "2026/01/05", "052": "2026/01/06", "102": "Doe, Jane (1234567)",
    "132": f"{'':87}26/01/05  26/01/06",
}  # fmt: skip
GOOD = {"sex": "m", "rating": "1700", "federation": "GER", "birth": "1990/05/06", "rank": "1"}
ROUNDS = ("2 w 1|3 b =", "1 b 0|- - H", "- - U|1 w =")
FORFEITED = ("2 w +|3 b =", "1 b -|- - H", "- - U|1 w =")
ONE_DAY = {"head": {"132": f"{'':87}26/01/05  26/01/05"}}
STANDARD = Terms(read_rate("90+30"))


def lines(*, head: dict[str, str] | None = None, rounds: tuple[str, ...] = ROUNDS, **columns: str) -> list[str]:
    """The report in order, but for that; the columns are those of player 1."""
    said = {**HEAD, **(head or {})}
    people = [
        row(
            number,
            own,
            name=f"Player, {number}",
            **{**GOOD, "fide": f"10000{number}", **(columns if number == 1 else {})},
        )
        for number, own in enumerate(rounds, start=1)
    ]
    return [*(f"{tag} {text}" for tag, text in said.items() if text), *people]


def found(terms: Terms = STANDARD, **changes: object) -> list[tuple[str, str, tuple[int, ...]]]:
    findings = check_report(report(*lines(**changes)), terms)  # type: ignore[arg-type]
    return [(one.where, one.text, one.players) for one in findings if one.weight != Weight.KNOWN]


def test_a_report_in_order_has_nothing_and_what_is_not_rated_is_counted() -> None:
    assert found() == found(**ONE_DAY) == found(head={"042": "2025/10/09"}) == []  # type: ignore[arg-type]
    played = count_played(report(*lines()))
    assert (played.rated, played.forfeits, played.byes, played.open) == (2, 0, 2, 0)
    known = [finding.text for finding in check_report(report(*lines()), STANDARD)]
    assert known == ["Not rated: 0 forfeits, 0 games shorter than a move each, 2 byes."]
    played = count_played(report(row(1, "2 w W"), row(2, "1 b L"), row(3, "4 w 1"), row(4, "3 b 0")))
    assert (played.rated, played.short) == (1, 1)
    people = row(1, "2 w 1|- - Z|2 - +"), row(2, "1 b 0|- - U|1 - -")
    assert count_played(report(*people)) == Played(1, 0, 1, byes=1, absences=1, open=0), "each board once"
    for white, black, told in (("+", "-", "1 forfeits, 0 games"), ("W", "L", "0 forfeits, 1 games")):
        rounds = (f"2 w 1|2 b {white}", f"1 b 0|1 w {black}")
        (last,) = check_report(report(*lines(rounds=rounds)), STANDARD)
        assert told in last.text
    weights = [each.weight for each in check_report(report(*lines(birth="", rounds=("2 w  ", "1 b  "))), STANDARD)]
    assert weights == sorted(weights, key=list(Weight).index)
    assert set(weights[:2]) == {Weight.MUST}, "an open board is told before a birthday"


@pytest.mark.parametrize(
    ("changes", "where", "begins", "players"),
    [
        ({"head": {"022": ""}}, Where.SETTINGS, "The place", ()),
        ({"head": {"042": ""}}, Where.SETTINGS, "The first or the last day", ()),
        ({"head": {"052": ""}}, Where.SETTINGS, "The first or the last day", ()),
        ({"head": {"042": "2025/10/08"}}, Where.SETTINGS, "The event lasts 91 days", ()),
        ({"head": {"032": ""}}, Where.PAPERS, "The federation of the event", ()),
        ({"head": {"032": "XYZ"}}, Where.PAPERS, "“XYZ”", ()),
        ({"head": {"102": ""}}, Where.PAPERS, "The chief arbiter", ()),
        ({"head": {"102": "Doe, Jane"}}, Where.PAPERS, "The arbiter “Doe, Jane” has no FIDE number", ()),
        ({"head": {"112": "Roe, Rick"}}, Where.PAPERS, "The arbiter “Roe, Rick” has no FIDE number", ()),
        ({"head": {"132": f"{'':87}26/01/05"}}, Where.ROUNDS, "Rounds without a day: 2", ()),
        ({"head": {"052": "2026/01/05"}}, Where.ROUNDS, "Rounds outside the days of the event: 2", ()),
        ({"head": {"042": "2026/01/06"}}, Where.ROUNDS, "Rounds outside the days of the event: 1", ()),
        ({"head": {"142": "3"}}, Where.ROUNDS, "The report has 2 of 3 rounds", ()),
        ({"fide": ""}, Where.PLAYERS, "No FIDE number", (1,)),
        ({"fide": "12 A"}, Where.PLAYERS, "A FIDE number that is none", (1,)),
        ({"fide": "0100002"}, Where.PLAYERS, "The same FIDE number twice", (1, 2)),
        ({"rank": ""}, Where.ROUNDS, "No place", (1,)),
        ({"federation": ""}, Where.FEDERATIONS, "No federation", (1,)),
        ({"federation": "QQQ"}, Where.FEDERATIONS, "“QQQ”", (1,)),
        ({"birth": ""}, Where.PLAYERS, "No year of birth", (1,)),
        ({"sex": ""}, Where.PLAYERS, "No sex", (1,)),
        ({"rounds": ("2 w W|3 b D", "1 b L|- - H", "- - U|1 w D")}, Where.ROUNDS, "No game was played that could", ()),
        ({"rounds": ("2 w  |3 b =", "1 b  |- - H", "- - U|1 w =")}, Where.ROUNDS, "Boards without a result: 1", ()),
    ],
)  # fmt: skip
def test_each_defect_is_found_alone_and_says_where_it_is_mended(
    changes: dict[str, object], where: str, begins: str, players: tuple[int, ...]
) -> None:
    ((place, text, numbers),) = found(**changes)
    assert (place, numbers) == (where, players)
    assert text.startswith(begins)
    assert said(text) == text


def test_what_is_said_of_a_name_a_number_and_a_birthday() -> None:
    made = report(*lines())
    none, comma, latin = "A FIDE number that is none", "The name has no comma", "The name is not in Latin letters"
    for changes, begins in (
        ({"name": "Žižka, Ján"}, ""),
        ({"name": "O’Neill, Pat"}, ""),
        ({"name": "Player One"}, comma),
        ({"name": "Игрок"}, latin),
        ({"name": "\u024f, P"}, ""),
        ({"name": "\u0250, P"}, latin),
        ({"name": f"{'P,':x<33}"}, ""),
        ({"name": f"{'P,':x<34}"}, "The name is cut after 33 letters"),
        ({"birth": "1990/00/00"}, "Of days of birth the club keeps the year"),
        ({"fide_id": "0"}, none),
        ({"fide_id": "12345678901"}, ""),
        ({"fide_id": "123456789012"}, none),
    ):
        people = (replace(made.players[0], **changes), *made.players[1:])  # type: ignore[arg-type]
        findings = check_report(replace(made, players=people), STANDARD)
        texts = [each.text for each in findings if not each.text.startswith("Not rated")]
        assert [text[: len(begins)] for text in texts] == [begins] * bool(begins), changes
    texts = [each.text for each in check_report(report(row(1), row(2)), STANDARD)]
    assert "No FIDE number" in texts
    assert "The same FIDE number twice" not in texts, "none is no number"


@pytest.mark.parametrize(
    ("terms", "changes", "begins"),
    [
        (Terms(None), {}, "The rate of play is missing"),
        (Terms(read_rate("45+10")), {}, "55 minutes for 60 moves: a standard game"),
        (Terms(read_rate("60"), "rapid"), {}, "60 minutes for 60 moves: a rapid game"),
        (Terms(read_rate("10+5"), "blitz"), {}, "15 minutes for 60 moves: a blitz game"),
        (Terms(read_rate("60+15")), {"rating": "1800"}, "2 games are not rated"),
        (Terms(read_rate("180+10")), ONE_DAY, "2026-01-05: 2 rounds are 12.7 hours of play, more than 12"),
        (Terms(read_rate("60+15")), {"rating": "1800", "rounds": FORFEITED}, "1 games are not rated"),
        (Terms(read_rate("195")), ONE_DAY, "2026-01-05: 2 rounds are 13 hours of play, more than 12"),
        (Terms(STANDARD.rate, is_chess=False), {}, "This is no event of chess"),
        (Terms(STANDARD.rate, is_over=False), {}, "The event is not closed"),
    ],
)  # fmt: skip
def test_time_and_terms(terms: Terms, changes: dict[str, object], begins: str) -> None:
    ((_where, text, players),) = found(terms, **changes)
    assert text.startswith(begins)
    assert players == ((1,) if "games are not rated" in text else ()), "the stronger of the two"


def test_what_is_long_enough_for_weaker_players_for_rapid_and_for_a_day() -> None:
    for terms, changes in (
        (Terms(read_rate("60+15")), {"rating": ""}),
        (Terms(read_rate("30"), "rapid"), {"rating": "2400"}),
        (Terms(read_rate("180")), ONE_DAY),
    ):
        assert found(terms, **changes) == []


@pytest.mark.parametrize(
    ("typed", "coded", "minutes"),
    [
        ("90+30", "5400+30", 120),
        ("40/90 + 30; 30+30", "40/5400+30:1800+30", 150),
        ("40/90, 40/30+60, 15", "40/5400:40/1800+60:900", 155),
        ("5", "300", 5),
        ("3+2", "180+2", 5),
    ],
)
def test_a_rate_of_play_is_typed_in_minutes_and_coded_in_seconds(typed: str, coded: str, minutes: int) -> None:
    rate = read_rate(typed)
    assert (rate.coded, rate.seconds) == (coded, minutes * 60)
    assert read_rate(rate.typed) == rate


@pytest.mark.parametrize(
    "typed", ["", "90'", "G/90", "90+30, 30", "40/90", "0+3", "1,2,3,4,5", "9/1,9/1,9/1,9/1,5", "90+30+30"]
)
def test_what_is_no_rate_of_play_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"90\+30|30\+30"):
        read_rate(typed)


def test_stronger_players_need_more_time_and_kinds_do_not_overlap() -> None:
    hour, hours = read_rate("60"), read_rate("90+30")
    assert [is_too_short(hour, (1500, each)) for each in (1799, 1800, 2400)] == [False, True, True]
    assert [is_too_short(hours, (each,)) for each in (2399, 2400)] == [False, False]
    kinds = {typed: [kind for kind in ("standard", "rapid", "blitz") if rate_suits(read_rate(typed), kind)] for typed in
             ("2", "3", "10", "11", "59", "60")}  # fmt: skip
    assert kinds == {"2": [], "3": ["blitz"], "10": ["blitz"], "11": ["rapid"], "59": ["rapid"], "60": ["standard"]}
    assert {"GER", "CHN", "FID"} < FEDERATIONS
    assert all(len(code) == 3 for code in FEDERATIONS)
