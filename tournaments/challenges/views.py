"""`/tournaments/<slug>/challenges/`: a device known by a personal link challenges somebody on a ladder, and answers.
Everybody else is told how to open a link. What waits for an answer is shown to its two sides alone."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubrating.web.formatting import day_text
from clubrating.web.links import key_of, own_players
from clubrating.web.rate_limits import RateLimit
from clubrating.web.requests import ClubRequest, number_sent
from players.models import Player
from players.refusals import Refused
from tournaments.challenges.selectors import Opponent, challenges_of, ladder_now, rules_with_challenges
from tournaments.challenges.services import accept, challenge, decline, withdraw
from tournaments.models import Challenge, Entry, Tournament

# Of one device: more than a family sends in an evening.
LIMIT = RateLimit("challenge", 30, 600)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A challenge that waits for an answer, as one of its sides sees it; `is_own`: that side made it."""

    challenge: Challenge
    player: Player
    is_own: bool

    @property
    def opponent(self) -> Player:
        side: Entry = self.challenge.challenged if self.is_own else self.challenge.challenger
        return side.player


@dataclass(frozen=True, slots=True)
class Side:
    """A player of this device: whether he is on the ladder, what waits, and whom he may challenge."""

    player: Player
    is_on_ladder: bool
    waiting: tuple[Waiting, ...]
    opponents: tuple[Opponent, ...]


@never_cache
def challenges(request: ClubRequest, slug: str) -> HttpResponse:
    """The page. 404 where nobody challenges anybody, 403 from a device that is not known, 409 where something is
    refused, 429 where one device sends too much."""
    tournament = Tournament.objects.filter(slug=slug, free_rules__challenges=True).first()
    if tournament is None or not request.club.personal_links:
        raise Http404
    players, problem, status = own_players(request), "", 200
    if request.method == "POST" and players and LIMIT.is_exceeded_by(key_of(request)):
        problem, status = _("Much came from this device just now: try again in ten minutes."), 429
    elif request.method == "POST":
        try:
            messages.success(request, _carry_out(request, tournament, players))
            return redirect("mine" if "mine" in request.POST else request.path)
        except Refused as refusal:
            problem, status = str(refusal), 409 if players else 403
    context = {"tournament": tournament, "sides": _sides(tournament, players), "problem": problem}
    return render(request, "tournaments/challenges.html", context, status=status)


def waiting_of(players: list[Player]) -> list[Waiting]:
    """What waits for an answer, as those players see it. One query, none for nobody."""
    rows = challenges_of([player.pk for player in players], timezone.localdate())
    found = []
    for row in rows:
        for player in players:
            if player.pk in (row.challenger.player_id, row.challenged.player_id):
                found.append(Waiting(row, player, row.challenger.player_id == player.pk))
    return found


def _sides(tournament: Tournament, players: list[Player]) -> list[Side]:
    rules = rules_with_challenges(tournament.pk) if players else None
    ladder = ladder_now(rules, timezone.localdate()) if rules else None
    waits = [each for each in waiting_of(players) if each.challenge.tournament_id == tournament.pk]
    sides = []
    for player in players:
        own = ladder.entry_of(player.pk) if ladder else None
        opponents = tuple(ladder.opponents(own)) if ladder and own else ()
        sides.append(Side(player, own is not None, tuple(each for each in waits if each.player == player), opponents))
    return sides


def _carry_out(request: ClubRequest, tournament: Tournament, players: list[Player]) -> str:
    """What was done, in words. Raises Refused, also for somebody whom this device does not speak for."""
    number = number_sent(request, "player")
    player = next((each for each in players if each.number == number), None)
    if player is None:
        raise Refused(_("This device is not known as that player’s: open your personal link on it first."))
    LIMIT.count(key_of(request))
    if "challenge" in request.POST:
        row = challenge(tournament, player.pk, number_sent(request, "challenge"))
        text = _("Your challenge stands until the end of %(day)s. Your opponent sees it under “My board”.")
        return text % {"day": day_text(row.answer_by)}
    if "accept" in request.POST:
        row = accept(number_sent(request, "accept"), player.pk)
        text = _("Accepted: the board is set, you have White. Play until the end of %(day)s.")
        return text % {"day": day_text(row.play_by)}
    if "decline" in request.POST:
        decline(number_sent(request, "decline"), player.pk)
        return _("Declined.")
    if "withdraw" in request.POST:
        withdraw(number_sent(request, "withdraw"), player.pk)
        return _("Your challenge is taken back.")
    raise Refused(_("Nothing was asked for: use one of the buttons."))
