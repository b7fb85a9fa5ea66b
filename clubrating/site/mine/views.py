"""`/mine/?player=17&follow=3,5`: what one reader wants to know first, and the people followed.

Who the reader is stands on the device (`static/js/me.js`) and comes with the address, so nothing about readers is
stored here. The script puts this page's first section on *Tonight*; without script the address can be bookmarked.
Never kept by anybody (`clubrating.web.page_cache.OWN`, no-store): kept pages serve everybody alike.

Anybody can claim to be anybody, so nothing is told that the player's public page does not tell. A device known by a
personal link (`link_views`) finds what it may do here, and its boards with their buttons.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext_lazy as _

from clubrating.ground.figures import round_half_away
from clubrating.ground.numbers import whole_number
from clubrating.site.mine.selectors import Board, boards_of
from clubrating.web.forms import one_button
from clubrating.web.links import own_devices
from clubrating.web.requests import ClubRequest
from players.links.selectors import player_of
from players.models import LinkDevice, Player
from players.people.selectors import visible_players
from players.privacy.rules import NOBODY, sees_name
from ratings.lists.selectors.lists import standings_of
from ratings.models import PlayerRating
from ratings.systems.base import Tally
from tournaments.challenges.views import Waiting, waiting_of
from tournaments.events.selectors.events import event_data
from tournaments.events.selectors.stages import sits_at
from tournaments.forecast.needs import Verdict
from tournaments.forecasts.selectors.needs import NeedsAnswer, counts_halves, needs_of
from tournaments.forecasts.words import reach_words, sentences
from tournaments.meetings.selectors import score_between
from tournaments.player_results.views import SideShown, sides_shown

MOST_FOLLOWED = 20
_LONGEST = 9  # digits of a number


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose page it is, who is followed, and the rating that stood there when the reader looked on an earlier day."""

    player: int | None
    follow: tuple[int, ...]
    rating_list: str
    was: int | None
    since: date | None


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The reader's board, the score of the two so far (None where pairs meet), and what is needed for first place
    (`need`, in words; may be empty) by the entry of that `number`."""

    board: Board
    record: Tally | None
    need: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating in the first list, and its change since the reader last looked (None where that is not known)."""

    row: PlayerRating
    change: int | None
    since: date | None


@dataclass(frozen=True, slots=True)
class Known:
    """Whom this device speaks for: the link it was opened by, the boards on which something can be said or was, those
    of an evening that wait for the arbiter, and challenges that wait for an answer."""

    device: LinkDevice
    player: Player
    boards: tuple[SideShown, ...]
    only_seen: tuple[OwnBoard, ...] = ()
    waiting: tuple[Waiting, ...] = ()


class WhoForm(forms.Form):
    """For readers without script: the numbers, to be kept as a bookmark."""

    player = forms.CharField(
        label=_("Your number"), max_length=_LONGEST, help_text=_("It stands in the list of players.")
    )
    follow = forms.CharField(
        label=_("Numbers of people you follow"),
        required=False,
        max_length=200,
        help_text=_("With commas between them."),
    )

    @property
    def helper(self) -> Any:
        return one_button(_("Show"), method="get")


def mine(request: ClubRequest) -> HttpResponse:
    """The page for whoever is asked for; a form where nobody is."""
    asked, today = asked_in(request.GET), timezone.localdate()
    wanted = {*asked.follow, *([asked.player] if asked.player is not None else [])}
    people = visible_players(wanted, request.viewer)
    me = people.get(asked.player) if asked.player is not None else None
    followed = [people[number] for number in asked.follow if number in people and people[number] != me]
    boards = boards_of([*([me] if me else []), *followed], today) if people else {}
    context = {
        "known": _known(request, today),
        "me": me,
        "asked": asked,
        "is_unknown": asked.player is not None and me is None,
        "boards": [_own(me, board) for board in boards[me.pk]] if me else [],
        "rating": _rating(me, asked) if me and sees_name(me, request.viewer) else None,
        "followed": [(each, _first(boards, each)) for each in followed],
        "form": WhoForm(initial={"player": asked.player, "follow": ", ".join(map(str, asked.follow))}),
        "today": today,
        "has_notices": bool(settings.PUSH_KEY),
        "has_mail": bool(settings.MAIL),
        "has_passkeys": bool(settings.PASSKEY_SITE),
    }
    response = render(request, "mine/mine.html", context)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def asked_in(query: Mapping[str, str]) -> Asked:
    """What the address says; what is no number or day is left out."""
    follow = dict.fromkeys(number for text in query.get("follow", "")[:400].split(",") if (number := _number(text)))
    try:
        since = parse_date(query.get("since", "")[:10])
    except ValueError:
        since = None
    return Asked(
        player=_number(query.get("player", "")),
        follow=tuple(follow)[:MOST_FOLLOWED],
        rating_list=query.get("list", "")[:60],
        was=_number(query.get("was", "")),
        since=since,
    )


def _known(request: ClubRequest, today: date) -> list[Known]:
    """Nobody, and no query, on a device that opened no personal link."""
    devices = own_devices(request)
    boards = boards_of([player_of(device) for device in devices], today) if devices else {}
    waiting = waiting_of([player_of(device) for device in devices]) if devices else []
    found = []
    for device in devices:
        player = player_of(device)
        own = tuple(each for each in waiting if each.player == player)
        seen = tuple(
            OwnBoard(board, None, "", None)
            for board in boards[player.pk]
            if board.game.pairing.round is None and not board.reports
        )
        sides = (sides_shown(board.game, [player], request.viewer) for board in boards[player.pk] if board.reports)
        found.append(Known(device, player, tuple(side for some in sides for side in some), seen, own))
    return found


def _number(text: str) -> int | None:
    return whole_number(text.strip().removeprefix("#"), _LONGEST)


def _first(boards: Mapping[int, list[Board]], player: Player) -> Board | None:
    return next(iter(boards[player.pk]), None)


def _rating(player: Player, asked: Asked) -> Rating | None:
    row = next(iter(standings_of(player)), None)
    if row is None:
        return None
    is_known = asked.was is not None and asked.since is not None and asked.rating_list == row.rating_list.slug
    return Rating(row, round_half_away(row.rating) - (asked.was or 0) if is_known else None, asked.since)


def _own(player: Player, board: Board) -> OwnBoard:
    is_pair = board.game.tournament.entry_size > 1
    record = None if is_pair else score_between(player, board.opponent).total
    if not board.is_open or board.game.pairing.round is None:
        return OwnBoard(board, record, "", None)
    event = event_data(board.game.pairing.stage, NOBODY)
    entrant = next((each for each in event.entrants if sits_at(each.player, player.pk)), None)
    number = entrant.number if entrant else None
    known = needs_of(event, number, 1) if number is not None else None
    need = _in_words(known, halves=counts_halves(event)) if known else ""
    return OwnBoard(board, record, need, number)


def _in_words(known: NeedsAnswer, *, halves: bool) -> str:
    """One sentence; none where nothing is certain, and none for whoever is out of the race."""
    if known.verdict is Verdict.LOST:
        return ""
    if known.reach is not None and known.verdict is not Verdict.SURE:
        return reach_words(known.reach, 1)[0]
    if known.needs is None and known.verdict is not Verdict.SURE:
        return ""
    return sentences(known, counts_halves=halves)[0]
