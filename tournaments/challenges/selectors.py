"""Challenges on a ladder: which are open, whom somebody may challenge, and what is due.

A challenge reaches as far as the ladder lets a win climb: so many places above in the order the format counts, which
keeps the places of those who left (`tournaments.standings.formats`). No clock writes anything: what was not answered or
played by its day is open no longer, and that is read off the day.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import Player
from players.privacy.rules import NOBODY, sees_page
from tournaments.event_pages.selectors.formats import ladder_of
from tournaments.events.selectors.stages import is_ladder, system_of
from tournaments.free_boards.selectors import waiting
from tournaments.models import Challenge, Entry, FreeRules, Game, Stage
from tournaments.pairing.base import read_options
from tournaments.player_results.services import STILL_OPEN

_State = Challenge.State
# After these the same two wait: a challenge that was answered or played, that lapsed, or that was taken back.
_TIRING = (_State.WAITING, _State.ACCEPTED, _State.DECLINED, _State.WITHDRAWN)


def open_challenges(event: int, today: date) -> QuerySet[Challenge]:
    """Those of an event (by key) that wait for an answer or for their game, the oldest first."""
    waits = Q(state=_State.WAITING, answer_by__gte=today)
    to_play = Q(state=_State.ACCEPTED, play_by__gte=today, game__result__in=STILL_OPEN)
    here = Q(challenger__withdrawn=False, challenged__withdrawn=False)
    rows = Challenge.objects.filter(waits | to_play, here, tournament=event)
    return rows.select_related("challenger__player", "challenged__player", "game").order_by("pk")


def rules_with_challenges(event: int) -> FreeRules | None:
    """The rules of an event (by key) whose members challenge each other; None of any other."""
    rules = FreeRules.objects.filter(tournament=event, challenges=True).select_related("tournament").first()
    if rules is None or rules.tournament.closed:
        return None
    return rules


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody who stands within reach above, with the place; `why_not` is empty where a challenge is possible."""

    entry: Entry
    place: int
    why_not: str


@dataclass(frozen=True, slots=True)
class LadderNow:
    """The ladder as challenges need it. `order`: the entries by the format's places, those who left among them;
    `taken`: keys of the entries in an open challenge; `rests`: until when the same two wait, by their keys; `seated`:
    pairs of players who have a board to play."""

    order: tuple[Entry, ...]
    reach: int
    taken: frozenset[int]
    rests: dict[frozenset[int], date]
    seated: frozenset[frozenset[int]]

    def entry_of(self, player: int) -> Entry | None:
        """Of a player (by key) who is on the ladder."""
        return next((each for each in self.order if each.player_id == player and not each.withdrawn), None)

    def opponents(self, own: Entry) -> list[Opponent]:
        """Who stands within reach above and is to be challenged at all, the next above first."""
        at = self.order.index(own)
        above = [each for each in self.order[max(0, at - self.reach) : at] if _takes_part(each)]
        return [Opponent(each, self._place(each), self.why_not(own, each)) for each in reversed(above)]

    def why_not(self, own: Entry, other: Entry) -> str:
        """Why `own` cannot challenge `other` now, as a sentence; empty where he can."""
        if not _takes_part(own):
            return _("Somebody who is hidden or not active challenges nobody here: tell the arbiter.")
        if other not in self.order or not _takes_part(other):
            return _("This player is not challenged here: choose somebody else.")
        if not 0 < self.order.index(own) - self.order.index(other) <= self.reach:
            return _("This player is not within reach any more: look at the ladder again.")
        if own.pk in self.taken:
            return _("You have an open challenge: settle that one first.")
        if other.pk in self.taken:
            return _("This player has an open challenge.")
        if frozenset((own.player_id, other.player_id)) in self.seated:
            return seated_already()
        rests = self.rests.get(frozenset((own.pk, other.pk)))
        text = _("You two had a challenge or a game lately: again from %(day)s on.")
        return text % {"day": date_format(rests, "DATE_FORMAT")} if rests else ""

    def _place(self, entry: Entry) -> int:
        """The place as the ladder's page shows it."""
        return sum(not each.withdrawn for each in self.order[: self.order.index(entry) + 1])


def ladder_now(rules: FreeRules, today: date) -> LadderNow | None:
    """The ladder of an event with challenges; None where the format is another one. Seven queries at most."""
    stage = Stage.objects.filter(tournament=rules.tournament_id).select_related("tournament").order_by("order").first()
    system = system_of(stage) if stage else None
    if stage is None or system is None or not is_ladder(stage):
        return None
    rows = open_challenges(rules.tournament_id, today)
    taken = frozenset(key for row in rows for key in (row.challenger_id, row.challenged_id))
    order = ladder_of(stage).order
    reach = int(read_options(system.options, stage.settings)["reach"])
    seated = frozenset(map(frozenset, waiting(rules.tournament_id).values_list("white", "black")))
    return LadderNow(order, reach, taken, _rests(rules, order, today), seated)


def seated_already() -> str:
    """What two are told who have a board, and would be given another."""
    return _("You two have a board already: play it, or ask the arbiter to take it off.")


def _takes_part(entry: Entry) -> bool:
    """Whoever left, is not active or has no page of their own neither challenges nor is challenged."""
    return not entry.withdrawn and entry.player.active and sees_page(entry.player, NOBODY)


def _rests(rules: FreeRules, order: Iterable[Entry], today: date) -> dict[frozenset[int], date]:
    """Two queries."""
    pause = timedelta(days=rules.rest_days)
    entries = {each.player_id: each.pk for each in order}
    made = Challenge.objects.filter(tournament=rules.tournament_id, state__in=_TIRING, made_on__gt=today - pause)
    met = [(frozenset(pair), day) for *pair, day in made.values_list("challenger", "challenged", "made_on")]
    games = Game.objects.filter(tournament=rules.tournament_id, played_on__gt=today - pause)
    for white, black, day in games.values_list("white", "black", "played_on"):
        if white in entries and black in entries and day is not None:
            met.append((frozenset((entries[white], entries[black])), day))
    found: dict[frozenset[int], date] = {}
    for pair, day in met:
        found[pair] = max(found.get(pair, day), day)
    return {pair: day + pause for pair, day in found.items()}


# --- of one player --------------------------------------------------------------------------------------------------
def challenges_of(players: Iterable[int], today: date) -> list[Challenge]:
    """The open challenges of those players (by key) that wait for an answer, the oldest first. One query, none for
    nobody."""
    keys = list(players)
    if not keys:
        return []
    rows = Challenge.objects.filter(
        Q(challenger__player__in=keys) | Q(challenged__player__in=keys),
        state=_State.WAITING,
        answer_by__gte=today,
        challenger__withdrawn=False,
        challenged__withdrawn=False,
        tournament__closed=False,
        tournament__free_rules__challenges=True,
    )
    return list(rows.select_related("tournament", "challenger__player", "challenged__player").order_by("pk"))


@dataclass(frozen=True, slots=True)
class Reminder:
    """Whom to remind of a challenge, and of what: to answer it, or (`is_accepted`) to play it, by that day."""

    challenge: Challenge
    player: Player
    due_on: date
    is_accepted: bool


def due_reminders(today: date) -> list[Reminder]:
    """What is due tomorrow, of every event with challenges: the answer, told to who is challenged; the game, told to
    both. Asked once a day it tells everybody once. One query."""
    tomorrow = today + timedelta(days=1)
    due = Q(state=_State.WAITING, answer_by=tomorrow)
    due |= Q(state=_State.ACCEPTED, play_by=tomorrow, game__result__in=STILL_OPEN)
    rows = Challenge.objects.filter(due, tournament__closed=False, tournament__free_rules__challenges=True)
    rows = rows.filter(challenger__withdrawn=False, challenged__withdrawn=False)
    found = []
    for row in rows.select_related("tournament", "challenger__player", "challenged__player").order_by("pk"):
        to_play = row.state == _State.ACCEPTED
        sides = (row.challenger, row.challenged) if to_play else (row.challenged,)
        found += [Reminder(row, side.player, tomorrow, to_play) for side in sides]
    return found
