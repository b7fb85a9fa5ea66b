"""Why two meet, and why two others do not (pure): the same engine, asked again with that pair forced.

A forced pair either breaks an absolute rule, leaves others whom nobody may meet, or makes some bracket worse by the
first criterion that differs. Where nothing is worse the order of candidates decides: the rules come to the other pair
first.

Source: FIDE C.04.3 art. 2 and 3.8; for colours art. 5.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clubrating.ground.marks import marked
from tournaments.pairing.base import Field, Remark
from tournaments.pairing.dutch import competitor
from tournaments.pairing.dutch.competitor import Competitor
from tournaments.pairing.dutch.costs import Two
from tournaments.pairing.dutch.criteria import COUNT, CRITERIA, ROUNDS, SCORES, Failures
from tournaments.pairing.dutch.legal import BYE, Legal, clash
from tournaments.pairing.dutch.pairing import PairedBracket, Parting, pair_players, where_they_part

_COLOUR_SAYS = {
    competitor.GRANT_BOTH: marked("Colours: everybody gets the colour they are due."),
    competitor.STRONGER: marked("Colours: both are due the same one; it goes to the one to whom it is due more."),
    competitor.WIDER: marked(
        "Colours: both must have the same one; it goes to the one with the wider difference of colours."
    ),
    competitor.ALTERNATE: marked(
        "Colours: both are due the same one; they alternate from the last time they had different ones."
    ),
    competitor.HIGHER: marked(
        "Colours: both are due the same one, and always had the same; it goes to the higher ranked."
    ),
    competitor.INITIAL: marked(
        "Colours: neither is due one; they follow the colour drawn before round 1, and the numbers."
    ),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A round to be asked about: its players, the highest ranked first, what is legal, and how the rules pair it."""

    field: Field
    players: Sequence[Competitor]
    legal: Legal
    made: Sequence[PairedBracket]
    first_white: bool

    def player(self, number: int) -> Competitor:
        """The competitor of that number."""
        return next(player for player in self.players if player.number == number)

    def partner(self, number: int) -> int:
        """Whom the rules give him; BYE for nobody."""
        for one, other in (pair for bracket in self.made for pair in bracket.candidate.pairs):
            if number in (one.number, other.number):
                return other.number if number == one.number else one.number
        return BYE


# --- why ------------------------------------------------------------------------------------------------------
def why(question: Question, number: int) -> tuple[Remark, ...]:
    """How the number comes to his opponent, or to the bye."""
    partner = question.partner(number)
    floated = [made for made in question.made if number in _numbers(made.candidate.floaters)]
    text = marked("In score group %(points)s nobody was left for %(one)s, who moved down to the next group.")
    scores = [made.bracket.players[-1].score for made in floated if made.bracket.below]
    remarks = [Remark(text, {"points": _points(question, score)}, {"one": number}) for score in scores]
    if partner == BYE:
        return (*remarks, *_why_bye(question, number))
    made, pair = next(
        (made, pair) for made in question.made for pair in made.candidate.pairs if number in _numbers(pair)
    )
    _white, rule = competitor.colour_rule(*pair, question.first_white)
    return (*remarks, *_why_pair(made, question, pair), Remark(_COLOUR_SAYS[rule]))


def _why_bye(question: Question, number: int) -> list[Remark]:
    points = _points(question, question.player(number).score)
    if question.field.edition < 2026:
        return [Remark(marked("%(one)s is left over in the last group, and may have the bye."), {}, {"one": number})]
    text = marked(
        "The bye goes to the lowest score from which everybody else can be paired: %(points)s. Of those who may have "
        "it %(one)s is chosen by the rest of the criteria."
    )
    return [Remark(text, {"points": points}, {"one": number})]


def _why_pair(made: PairedBracket, question: Question, pair: Two) -> list[Remark]:
    higher, lower = pair
    values = {"points": _points(question, made.bracket.players[-1].score), "count": len(made.bracket.players)}
    both = {"one": higher.number, "other": lower.number}
    if made.bracket.is_moved_down(higher):
        text = marked(
            "%(one)s was moved down to score group %(points)s (%(count)s players with those moved down) and "
            "is paired first: %(other)s is the highest ranked there with whom nothing better is given up."
        )
        return [Remark(text, values, both)]
    natural = _natural(made, pair)
    if natural == lower.number:
        text = marked(
            "In score group %(points)s (%(count)s players) the upper half meets the lower half in order: "
            "%(one)s meets %(other)s."
        )
        return [Remark(text, values, both)]
    lines = [Remark(marked("In score group %(points)s (%(count)s players) %(one)s meets %(other)s."), values, both)]
    if natural is not None:
        instead = marked("By the order of numbers alone it would have been %(other)s:")
        lines += [Remark(instead, {}, {"other": natural}), *why_not(question, higher.number, natural)]
    return lines


def _natural(made: PairedBracket, pair: Two) -> int | None:
    """Whom the higher ranked would meet if the halves met in order; None where he is of the lower half."""
    moved = {player.number for one in made.candidate.pairs if made.bracket.is_moved_down(one[0]) for player in one}
    others = [player.number for player in made.bracket.residents if player.number not in moved]
    pairs = sum(not made.bracket.is_moved_down(one) for one, _other in made.candidate.pairs)
    at = others.index(pair[0].number)
    return others[at + pairs] if at < pairs and at + pairs < len(others) else None


# --- why not --------------------------------------------------------------------------------------------------
def why_not(question: Question, one: int, other: int) -> tuple[Remark, ...]:
    """What speaks against the two, the first thing that does; `other` may be BYE."""
    if question.partner(one) == other:
        text = marked("They do meet in this round.") if other else marked("%(one)s does have the bye in this round.")
        return (Remark(text, {}, _both(one, other)),)
    absolute = _no_bye(question, one) if other == BYE else _no_meeting(question, one, other)
    if absolute is not None:
        return (absolute,)
    forced = Legal(question.players, question.field.prohibited, (one, other))
    if not forced.has_round(question.players):
        text = marked(
            "If %(one)s and %(other)s met, somebody else would be left whom nobody may meet (completion, C4)."
        )
        alone = marked("If %(one)s had the bye, somebody else would be left whom nobody may meet (completion, C4).")
        return (Remark(text if other else alone, {}, _both(one, other)),)
    made = pair_players(question.players, forced, question.field.edition, question.field.points.unit)
    bye, forced_bye = _bye_score(question.made), _bye_score(made)
    if question.field.edition >= 2026 and forced_bye > bye:
        text = marked(
            "The bye would go to somebody with %(with)s points; %(without)s are possible, and the lowest counts (C5)."
        )
        return (Remark(text, {"with": _points(question, forced_bye), "without": _points(question, bye)}),)
    parting = where_they_part(question.made, made, CRITERIA[question.field.edition])
    return () if parting is None else (_worse(parting, question, one, other),)


def _no_meeting(question: Question, one: int, other: int) -> Remark | None:
    mine, theirs = question.player(one), question.player(other)
    both = _both(one, other)
    if other in mine.met:
        rounds = [
            meeting.round for meeting in question.field.meetings if {meeting.white, meeting.black} == {one, other}
        ]
        text = marked("%(one)s and %(other)s have met in round %(round)s (C1).")
        return Remark(text, {"round": max(rounds)}, both)
    if frozenset((one, other)) in question.field.prohibited:
        return Remark(marked("%(one)s and %(other)s must not meet: the arbiter has prohibited this pair."), {}, both)
    if clash(mine, theirs):
        text = marked("White") if mine.preference.white else marked("Black")
        return Remark(marked("%(one)s and %(other)s must both have %(colour)s (C3)."), {"colour": text}, both)
    return None


def _no_bye(question: Question, one: int) -> Remark | None:
    who = {"one": one}
    if not question.legal.odd:
        return Remark(marked("The number of players is even: nobody needs a bye."), {}, who)
    if not question.player(one).may_have_bye:
        return Remark(marked("%(one)s had the bye already, or a full point without playing (C2)."), {}, who)
    return None


def _bye_score(made: Sequence[PairedBracket]) -> int:
    """The score of who has the bye; -1 where nobody has."""
    left = made[-1].candidate.floaters
    return left[0].score if left else -1


def _worse(parting: Parting, question: Question, one: int, other: int) -> Remark:
    values = {"points": _points(question, parting.bracket.players[-1].score)}
    if parting.regrouped:
        text = marked(
            "The round could be completed only with other groups below score group %(points)s (completion, C.4)."
        )
    elif parting.criterion is None:
        text = marked(
            "In score group %(points)s both would be equally good; the order in which pairings are tried "
            "comes to the other one first."
        )
    else:
        text = marked(
            "In score group %(points)s criterion %(key)s would be worse. It keeps small: %(text)s – with this pair "
            "%(with)s, as paired %(without)s."
        )
        values |= {
            "key": parting.criterion.key,
            "text": parting.criterion.text,
            "with": _sizes(question, parting, parting.other),
            "without": _sizes(question, parting, parting.chosen),
        }
    return Remark(text, values, _both(one, other))


def _sizes(question: Question, parting: Parting, failures: Failures) -> str:
    """The failures as a reader counts them: how many, or each by its size."""
    kind = parting.criterion.sizes if parting.criterion else COUNT
    if kind == COUNT or not failures:
        return f"{len(failures)}"
    if kind == ROUNDS:
        return ", ".join(f"{size - 1}" for size in failures)
    if kind == SCORES:
        return ", ".join(_points(question, size - 1) for size in failures)
    # Who floats again counts more than every difference there can be.
    most = parting.bracket.players[0].score
    return ", ".join(_points(question, size) if size <= most else "∞" for size in failures)


def _points(question: Question, score: int) -> str:
    return question.field.points.text(score)


def _both(one: int, other: int) -> dict[str, int]:
    return {"one": one, "other": other} if other else {"one": one}


def _numbers(players: Sequence[Competitor]) -> set[int]:
    return {player.number for player in players}
