"""Why two teams meet, and why two others do not (pure): the same engine, asked again with that pair forced.

A forced pair either may not be, leaves teams that cannot be paired, or makes something worse, from the bye down to the
order in which pairings are listed; the first difference is the answer. Source: FIDE C.04.6 (2026) art. 2 to 4.
"""

from collections.abc import Iterator
from itertools import chain

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import PairingError, Remark
from tournaments.pairing.team_swiss import colours
from tournaments.pairing.team_swiss.bracket import Pair, PairedBracket, failures_of
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.legal import BYE
from tournaments.pairing.team_swiss.pairing import PairedRound, paired_round
from tournaments.standings.points import point_system

COLOUR_SAYS = {
    colours.INITIAL: marked(
        "Colours: neither has played a match; they follow the colour drawn before round 1, and the numbers (4.3.1)."
    ),
    colours.ONLY: marked("Colours: only one of the two is due a colour, and gets it (4.3.2)."),
    colours.BOTH: marked("Colours: both get the colour they are due (4.3.3)."),
    colours.STRONG: marked(
        "Colours: both are due the same one; it goes to the team to which it is strongly due (4.3.4)."
    ),
    colours.LOWER: marked("Colours: White goes to the team with fewer Whites in comparison with its Blacks (4.3.5)."),
    colours.ALTERNATE: marked(
        "Colours: they alternate from the last time when one team had White and the other Black (4.3.6)."
    ),
    colours.FIRST: marked(
        "Colours: both are due the same one, and always had the same; it goes to the higher ranked team (4.3.7)."
    ),
    colours.FIRST_ALTERNATES: marked(
        "Colours: the higher ranked team gets another colour than in its last match (4.3.8)."
    ),
    colours.OTHER_ALTERNATES: marked(
        "Colours: only the lower ranked team has played; it gets another colour than in its last match (4.3.9)."
    ),
}
CRITERION_SAYS = {
    "C4": marked("upfloaters"),
    "C6": marked("upfloaters that the next score group will need"),
    "C7": marked("upfloaters that floated in the round before"),
    "C8": marked("teams that do not get the colour they are due"),
    "C9": marked("teams that do not get the colour they are strongly due"),
    "C10": marked("opponents of upfloaters that floated in the round before"),
}


# --- why ----------------------------------------------------------------------------------------------------------
def why(field: TeamField, team: int) -> tuple[Remark, ...]:
    """How the team comes to its opponent, or to the bye. Raises PairingError."""
    _check(field, team)
    made = paired_round(field)
    if made.bye is not None and made.bye.number == team:
        text = marked(
            "%(one)s has the bye. It goes to a team that may have it and leaves a legal pairing for all others. Of "
            "these the lowest score comes first, then the most matches played, then the largest number (3.4)."
        )
        return (Remark(text, {}, {"one": team}),)
    bracket = next(bracket for bracket in made.brackets if team in _numbers(bracket))
    pair = next(pair for pair in bracket.pairs if team in (pair[0].number, pair[1].number))
    _white, clause = colours.colour_rule(
        *colours.first_of(*pair, secondary=field.secondary), first_white=field.first_white
    )
    return (*_why_floating(made, bracket, pair), *_why_pair(made, bracket, pair), Remark(COLOUR_SAYS[clause]))


def _why_floating(made: PairedRound, bracket: PairedBracket, pair: Pair) -> Iterator[Remark]:
    for up in bracket.upfloaters:
        if up in pair:
            text = marked(
                "%(one)s (%(own)s points) floats up to score group %(points)s. By criteria C4 to C7 and the order of "
                "numbers its upfloaters are: %(all)s."
            )
            values = {
                "own": _points(made, up.score),
                "points": _points(made, bracket.score),
                "all": ", ".join(f"{one.number}" for one in bracket.upfloaters),
            }
            yield Remark(text, values, {"one": up.number})


def _why_pair(made: PairedRound, bracket: PairedBracket, pair: Pair) -> tuple[Remark, ...]:
    top, bottom = pair
    numbers = sorted(_numbers(bracket))
    half = len(numbers) // 2
    at = numbers.index(top.number)
    natural = numbers[at + half] if at < half else BYE
    values = {"points": _points(made, bracket.score), "count": len(numbers)}
    both = {"one": top.number, "other": bottom.number}
    if natural == bottom.number:
        text = marked(
            "In score group %(points)s (%(count)s teams) the smaller numbers meet the larger ones in order: %(one)s "
            "meets %(other)s."
        )
        return (Remark(text, values, both),)
    line = Remark(marked("In score group %(points)s (%(count)s teams) %(one)s meets %(other)s."), values, both)
    if natural == BYE:
        return (line,)
    instead = marked("By the order of numbers alone it would have been %(other)s:")
    return (line, Remark(instead, {}, {"other": natural}), *why_not(made.field, top.number, natural))


# --- why not ------------------------------------------------------------------------------------------------------
def why_not(field: TeamField, one: int, other: int) -> tuple[Remark, ...]:
    """What speaks against the two, the first thing that does; `other` 0 asks why `one` has not the bye. Raises
    PairingError."""
    _check(field, one, other)
    made = paired_round(field)
    who = {"one": one, "other": other} if other else {"one": one}
    if _meet(made, one, other):
        text = marked("They do meet in this round.") if other else marked("%(one)s does have the bye in this round.")
        return (Remark(text, {}, who),)
    absolute = _no_bye(made, one) if other == BYE else _no_meeting(made, one, other)
    if absolute is not None:
        return (absolute,)
    try:
        forced = paired_round(field, (one, other))
    except PairingError:
        left = marked("If %(one)s and %(other)s met, not all other teams could be paired (completion, C3).")
        alone = marked("If %(one)s had the bye, not all other teams could be paired (completion, C3).")
        return (Remark(left if other else alone, {}, who),)
    return (_worse(made, forced, who),)


def _meet(made: PairedRound, one: int, other: int) -> bool:
    if other == BYE:
        return made.bye is not None and made.bye.number == one
    pairs = chain.from_iterable(bracket.pairs for bracket in made.brackets)
    return any({one, other} == {top.number, bottom.number} for top, bottom in pairs)


def _no_meeting(made: PairedRound, one: int, other: int) -> Remark | None:
    both = {"one": one, "other": other}
    mine = next(team for team in made.teams if team.number == one)
    if other in mine.met:
        rounds = [meeting.round for meeting in made.field.meetings if {meeting.first, meeting.second} == {one, other}]
        text = marked("%(one)s and %(other)s have met in round %(round)s (C1).")
        return Remark(text, {"round": max(rounds)}, both)
    if frozenset((one, other)) in made.field.prohibited:
        return Remark(marked("%(one)s and %(other)s must not meet: the arbiter has prohibited this pair."), {}, both)
    return None


def _no_bye(made: PairedRound, one: int) -> Remark | None:
    if made.bye is None:
        return Remark(marked("The number of teams is even: none needs a bye."), {}, {"one": one})
    if not next(team for team in made.teams if team.number == one).may_have_bye:
        text = marked("%(one)s had a bye or a full point for one already, or won a match without playing (C2).")
        return Remark(text, {}, {"one": one})
    return None


def _worse(made: PairedRound, forced: PairedRound, who: dict[str, int]) -> Remark:
    if made.bye is not None and made.bye != forced.bye:
        text = marked(
            "The bye goes to %(bye)s: to the lowest score, then to the most matches played, then to the largest number "
            "(3.4)."
        )
        return Remark(text, {}, who | {"bye": made.bye.number})
    for chosen, instead in zip(made.brackets, forced.brackets, strict=False):
        for (key, without), (_key, other) in zip(_measures(made, chosen), _measures(forced, instead), strict=True):
            if without != other:
                return _remark(made, chosen, key, (other, without), who)
    raise AssertionError("two different rounds differ in something")


Measure = tuple[int, ...]


def _measures(made: PairedRound, bracket: PairedBracket) -> Iterator[tuple[str, Measure]]:
    """What is compared of two ways to pair a bracket, the weightiest first."""
    last_two, up = made.field.last_two, bracket.upfloaters
    yield "C4", (len(up),)
    yield "C5", tuple(sorted(team.score for team in up))
    yield "C6", (bracket.following_floaters,)
    yield "C7", (0 if last_two else sum(team.floated for team in up),)
    yield "3.5.4", tuple(team.number for team in up)
    failures = [failures_of(pair, up, last_two=last_two) for pair in bracket.pairs]
    for key, column in zip(("C8", "C9", "C10"), zip(*failures, strict=True), strict=True):
        yield key, (sum(column),)
    yield "3.6.3", tuple(chain((top.number for top, _ in bracket.pairs), (low.number for _, low in bracket.pairs)))


def _remark(
    made: PairedRound, bracket: PairedBracket, key: str, sizes: tuple[Measure, Measure], who: dict[str, int]
) -> Remark:
    values: dict[str, str] = {"points": _points(made, bracket.score)}
    if key in CRITERION_SAYS:
        text = marked(
            "In score group %(points)s criterion %(key)s would be worse. It keeps small: %(text)s – with this pair "
            "%(with)s, as paired %(without)s."
        )
        values |= {"key": key, "text": CRITERION_SAYS[key], "with": f"{sizes[0][0]}", "without": f"{sizes[1][0]}"}
    elif key == "C5":
        text = marked(
            "In score group %(points)s the upfloaters would have lower scores (C5): %(with)s, as paired %(without)s."
        )
        shown = (", ".join(_points(made, score) for score in scores) for scores in sizes)
        values |= dict(zip(("with", "without"), shown, strict=True))
    elif key == "3.5.4":
        text = marked(
            "In score group %(points)s other upfloaters would be equally good; those with smaller numbers come first "
            "(3.5.4)."
        )
    else:
        text = marked(
            "In score group %(points)s both would be equally good; the order in which pairings are tried comes to the "
            "other one first."
        )
    return Remark(text, values, who)


# --- shared -------------------------------------------------------------------------------------------------------
def _check(field: TeamField, *teams: int) -> None:
    for team in teams:
        if team != BYE and team not in field.present:
            raise PairingError(sentence("Team %(team)s is not paired in this round.", team=team))


def _points(made: PairedRound, score: int) -> str:
    scoring = made.field.scoring
    return (point_system("classic") if scoring.primary == "MP" else scoring.points).text(score)


def _numbers(bracket: PairedBracket) -> set[int]:
    return {team.number for team in (*bracket.residents, *bracket.upfloaters)}
