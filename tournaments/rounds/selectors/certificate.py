"""The certificate of a Swiss round: made again from the results before the round as they are now, without names.

Where boards were set by hand, or a result was corrected since, it proves what the rules say, and names the boards of
the round that are others. A small round takes less than half a second and is remembered; a large one is a question
answered in the background, once for everybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from clubrating.ground.marks import marked, sentence
from players.jobs.services import Question
from tournaments.pairing import PairingError
from tournaments.pairing.base import Field
from tournaments.pairing.certificates.checker import FORMAT, check
from tournaments.pairing.certificates.maker import certificate_of
from tournaments.pairing.certificates.rules import Bracket, Refused
from tournaments.pairing.dutch.system import Dutch, is_return
from tournaments.rounds.selectors.field import fingerprint, points_of_event
from tournaments.rounds.selectors.why import NOBODY, AskedRound, asked_round
from tournaments.standings.points import PointSystem

CERTIFICATE = "certificate"  # the kind of question
AT_ONCE = 200  # players
_REMEMBERED = 3600  # seconds
Pair = tuple[int, int]  # White's number and Black's; NOBODY: the bye


@dataclass(frozen=True, slots=True)
class Certified:
    """The file's content, or the `problem` for which there is none. `by_hand`: boards of the round that are not the
    ones proven. `groups`: what is proven, score group by score group."""

    document: Mapping[str, Any]
    problem: str = ""
    by_hand: tuple[Pair, ...] = ()
    groups: tuple["GroupProven", ...] = ()


@dataclass(frozen=True, slots=True)
class GroupProven:
    """A score group: its score, how many were paired in it with those moved down, its pairs, how many float down, and
    how often each criterion fails."""

    score: str
    players: int
    pairs: int
    floaters: int
    failing: tuple[tuple[str, int], ...]


def certifiable_round(slug: str, number: int) -> AskedRound | None:
    """A published round that the rules of the Swiss pair; None for another one. Three queries."""
    asked = asked_round(slug, number, drafts=False)
    return asked if asked is not None and is_certifiable(asked.stage.pairing_system) and asked.seats else None


def is_certifiable(pairing_system: str) -> bool:
    """Whether rounds of that system have certificates."""
    return pairing_system == Dutch.key


def certificate_question(asked: AskedRound, field: Field) -> Question:
    """What the background is asked."""
    facts = f"{FORMAT} {fingerprint(asked.stage, field)}"
    return Question(CERTIFICATE, {}, facts, about=asked.row.pk)


def made_document(asked: AskedRound, field: Field) -> dict[str, Any]:
    """The certificate of that field, or a `problem` in its place."""
    if is_return(asked.stage.settings, field.round):
        return {"problem": marked("Return games are the boards of the round before with colours exchanged.")}
    try:
        return certificate_of(field, asked.stage.settings)
    except PairingError as refusal:
        return {"problem": str(refusal)}
    except Refused as refusal:
        text = marked("The engine and the checker read the rules differently here: %(place)s")
        return {"problem": sentence(text, place=str(refusal))}


def remembered_document(asked: AskedRound, field: Field) -> dict[str, Any]:
    """The same, made at most once an hour."""
    key = f"certificate {fingerprint(asked.stage, field)}".replace(" ", "-")
    document: dict[str, Any] | None = cache.get(key)
    if document is None:
        document = made_document(asked, field)
        cache.set(key, document, _REMEMBERED)
    return document


def certified(asked: AskedRound, document: Mapping[str, Any]) -> Certified:
    """What the document says of the round as it stands."""
    if "problem" in document:
        return Certified({}, problem=document["problem"])
    found, points = check(document), points_of_event(asked.stage.tournament)
    groups = tuple(_group(bracket, points, found.facts.edition) for bracket in found.brackets)
    proven = {tuple(board) for board in document["boards"]}
    by_hand = tuple(board for board in _seated(asked) if board not in proven)
    content = {**document, "by_hand": [list(board) for board in by_hand]}
    return Certified(content, by_hand=by_hand, groups=groups)


def _group(bracket: Bracket, points: PointSystem, edition: int) -> GroupProven:
    article = "C" if edition >= 2026 else "C."
    return GroupProven(
        points.text(bracket.residents[0].score),
        len(bracket.own),
        len(bracket.pairs),
        len(bracket.floaters),
        tuple((f"{article}{criterion}", times) for criterion, times in bracket.counted()),
    )


def _seated(asked: AskedRound) -> list[Pair]:
    """The boards as they stand, in the order of White's numbers, the bye last."""
    boards = [(own, seat.opponent) for own, seat in sorted(asked.seats.items()) if seat.is_white and seat.opponent]
    return boards + [(own, NOBODY) for own, seat in sorted(asked.seats.items()) if not seat.opponent]
