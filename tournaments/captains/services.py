"""What captains do without an account: links to act for a team, and the match card.

A link is a secret of which only a digest is kept; it ends by itself and can be taken back. The card: one side enters
the results, which count at once; the other says that it is right, or that boards should be otherwise. A board that has
another result already is never overwritten: what the captain says becomes a report, and the arbiter decides.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.secret_links import digest_of, ends_in, new_secret, take_back
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.models import (
    CaptainLink,
    Game,
    LineUpOrder,
    Pairing,
    ResultReport,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
)
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result
from tournaments.teams.selectors.checklist import due_at
from tournaments.teams.selectors.lists import Places
from tournaments.teams.services.guests import add_by_names
from tournaments.teams.services.handing_in import hand_in_by_rules
from tournaments.teams.services.line_ups import lock_match, open_match, rules_of
from tournaments.teams.services.matches import OPEN, agree
from tournaments.teams.services.teams import change_player, lock_team, order_players

CAPTAIN = "captain"  # the role in the audit trail
DAYS = 300  # a season
# What a captain may enter; penalties and the like are the arbiter's.
RESULTS = (
    Result.WHITE_WINS,
    Result.DRAW,
    Result.BLACK_WINS,
    Result.BLACK_FORFEITS,
    Result.WHITE_FORFEITS,
    Result.BOTH_FORFEIT,
    Result.ADJOURNED,
)


# --- links --------------------------------------------------------------------------------------------------------
@transaction.atomic
def make_link(team_key: int, *, by: User | None, days: int = DAYS) -> tuple[CaptainLink, str]:
    """A link for a team and its secret, which is shown once and not kept. Raises Refused for no day or over a year."""
    expires, secret = ends_in(days), new_secret()
    team = lock_team(team_key)
    link = CaptainLink.objects.create(team=team, digest=digest_of(secret), by=by, expires_at=expires)
    write_audit("captain-link.made", team, by=by, after={"link": link.pk, "days": days})
    return link, secret


@transaction.atomic
def revoke_link(link_key: int, *, by: User | None) -> None:
    """Take a link back; whoever came by it is out at once. Raises Refused where it is none any more."""
    link = CaptainLink.objects.select_for_update().select_related("team").filter(pk=link_key, revoked_at=None).first()
    if link is None:
        raise Refused(_("This link was taken back already."))
    take_back(link)
    write_audit("captain-link.revoked", link.team, by=by, after={"link": link.pk})


# --- the list of a team -------------------------------------------------------------------------------------------
@transaction.atomic
def officer_adds(team_key: int, lines: Sequence[str], *, by: User) -> int:
    """Put players who are known here on the list of a team of the officer's club; how many. Raises Refused as
    `add_by_names`, and for another club's team."""
    _check_officer(team_key, by)
    rows, _new = add_by_names(team_key, lines, by=by)
    return len(rows)


@transaction.atomic
def officer_orders(team_key: int, order: Sequence[int], reserves: Collection[int], *, by: User) -> int:
    """Order the list of a team of the officer's club, by keys of its rows, and say who is a reserve; how many rows that
    changed. Raises Refused for another club's team, where somebody else changed the list, and for an order that the
    rules fix once boards are made."""
    team = _check_officer(team_key, by)
    rows = list(TeamPlayer.objects.filter(team=team).order_by("place", "pk"))
    changed = [row for row in rows if row.reserve != (row.pk in reserves)]
    moved = [row.pk for row in rows] != list(order)
    if moved and TeamRules.objects.get(tournament=team.tournament_id).order == LineUpOrder.FIXED and _has_sat(team):
        raise Refused(_("The order of this list stands since its first match: ask the arbiter."))
    if moved:
        order_players(team.pk, order, by=by)
    for row in changed:
        change_player(
            row.pk, by=by, since=row.since, until=row.until, reserve=row.pk in reserves, nominated=row.nominated
        )
    return len(changed) + moved


def _check_officer(team_key: int, by: User) -> Team:
    team = lock_team(team_key)
    if not by.is_active or team.club is None or not team.club.officers.filter(pk=by.pk).exists():
        raise Refused(_("Only officers of the team’s club change its list."))
    return team


def _has_sat(team: Team) -> bool:
    return Pairing.objects.filter(Q(match__home=team) | Q(match__away=team)).exists()


# --- line-ups -----------------------------------------------------------------------------------------------------
@transaction.atomic
def captain_hands_in(
    match_key: int,
    team_key: int,
    places: Places,
    *,
    by: User | None,
    revision: int,
    note: str = "",
    nevertheless: bool = False,
) -> bool:
    """Keep a captain's line-up; the boards are made where the other side's is there. Whether they are. Warnings of the
    rules are set aside `nevertheless`, for the reason in the note. Raises Refused after the time it was due, and
    LineUpRefused as `hand_in_by_rules`."""
    lock_lists()
    match = lock_match(match_key)
    due = due_at(match, rules_of(match))
    if due is not None and timezone.now() > due:
        raise Refused(_("Line-ups of this match were due before: tell the arbiter, who can still enter yours."))
    waived = note if nevertheless else ""
    hand_in_by_rules(match_key, team_key, places, by=by, role=CAPTAIN, waived=waived, note=note, revision=revision)
    try:
        return open_match(match_key, by=by, only_if_both=True, role=CAPTAIN)
    except Refused:
        # Something about the other side's line-up is wrong: it is the arbiter's matter, and not to be told here.
        return False


@transaction.atomic
def captain_opens(match_key: int, team_key: int, *, by: User | None, first_white: str = "") -> None:
    """Have the boards made once both line-ups are in and the captains tossed, or once they were due, whoever handed
    none in. Raises Refused before that."""
    lock_lists()
    match = lock_match(match_key)
    if team_key not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    due = due_at(match, rules_of(match))
    both = match.line_ups.count() == len((match.home_id, match.away_id))
    if not both and (due is None or timezone.now() <= due):
        raise Refused(_("Both line-ups are not in yet: the boards are made when they are."))
    open_match(match_key, by=by, first_white=first_white, role=CAPTAIN)


# --- the card -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CardOutcome:
    """How many results were entered, and on which boards the other side's result was disputed."""

    entered: int
    disputed: tuple[int, ...]


@transaction.atomic
def enter_card(
    match_key: int,
    team_key: int,
    results: Mapping[int, str],
    *,
    by: User | None,
    words: str = "",
    revision: int | None = None,
) -> CardOutcome:
    """Enter results by board, as White's code of `RESULTS`; boards left out, or empty, stay as they are. A board with
    another result is disputed, not changed; the side that fills an undisputed card agrees with it. Raises Stale where
    the card is not the one of that `revision`; Refused for a board the match does not have, one nobody plays on,
    another code, and a card that is closed."""
    lock_lists()
    match = lock_match(match_key)
    _check_card(match, team_key, revision)
    games = {game.pairing.match_board: game for game in _games(match)}
    entered, disputed = 0, []
    for board, code in sorted(results.items()):
        if not code:
            continue
        if board not in games:
            raise Refused(_no_game(match, board))
        if code not in RESULTS:
            text = _("Board %(board)s: “%(code)s” is no result a captain enters. Tell the arbiter.")
            raise Refused(text % {"board": board, "code": code[:10]})
        game = games[board]
        if code == game.result:
            continue
        if game.result in OPEN:
            record_result(game=game.pk, result=Result(code), played_on=_day(match), by=by, role=CAPTAIN)
            entered += 1
        elif code == Result.ADJOURNED:
            text = _("Board %(board)s has a result and cannot be adjourned. Tell the arbiter if it is wrong.")
            raise Refused(text % {"board": board})
        else:
            _dispute(game, Result(code), words, team_key)
            disputed.append(board)
    if entered or disputed:
        boards = {str(board): code for board, code in sorted(results.items()) if code}
        write_audit("card.entered", match, by=by, role=CAPTAIN, after={"team": team_key, "boards": boards})
    if entered and not disputes(match) and not _open_boards(match):
        agree(match_key, team_key, by=by, role=CAPTAIN)
    return CardOutcome(entered, tuple(disputed))


@transaction.atomic
def confirm_card(match_key: int, team_key: int, *, by: User | None, revision: int | None = None) -> None:
    """A side says that the card it saw is right. Raises Stale where it is another by now, Refused while a board is open
    or disputed, and for a card that is closed."""
    lock_lists()
    match = lock_match(match_key)
    _check_card(match, team_key, revision)
    if disputes(match):
        raise Refused(_("A board is disputed: the arbiter decides before the card can be confirmed."))
    agree(match_key, team_key, by=by, role=CAPTAIN)


def card_revision(match: TeamMatch, games: Iterable[Game]) -> int:
    """Rises with every change of a result of the match, and of who sits there. `games`: those of its boards."""
    return match.revision + sum(game.revision for game in games)


def disputes(match: TeamMatch) -> list[ResultReport]:
    """The boards of a match of which a captain says that they should be otherwise, in order."""
    rows = ResultReport.objects.filter(game__pairing__match=match, state=ResultReport.State.OPEN, by_team__isnull=False)
    return list(rows.select_related("game__pairing", "by_team").order_by("game__pairing__match_board", "pk"))


def closes_on(match: TeamMatch, rules: TeamRules) -> datetime | None:
    """When captains can enter and dispute no more; None where the card is never closed, or nothing is planned."""
    if not rules.card_days or match.played_on is None:
        return None
    day = datetime.combine(match.played_on, time(), timezone.get_current_timezone())
    return day + timedelta(days=rules.card_days + 1)


def _check_card(match: TeamMatch, team_key: int, revision: int | None) -> None:
    if team_key not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    if match.absent or not match.boards.exists():
        raise Refused(_("This match has no boards yet: the card begins with both line-ups."))
    closes = closes_on(match, rules_of(match))
    if closes is not None and timezone.now() >= closes:
        raise Refused(_("This card is closed: tell the arbiter what should be otherwise."))
    if match.played_on is not None and match.played_on > timezone.localdate():
        raise Refused(_("The match is planned for a day to come: have it moved to the day on which it was played."))
    if revision is not None and revision != card_revision(match, _games(match)):
        raise Stale(_("The card was changed meanwhile: look at it again, then send yours."))


def _no_game(match: TeamMatch, board: int) -> str:
    if match.boards.filter(match_board=board).exists():
        return _("Board %(board)s is won by default: there is no result to enter.") % {"board": board}
    boards = rules_of(match).boards
    if 1 <= board <= boards:
        return _("Nobody sits on board %(board)s: there is no result to enter.") % {"board": board}
    return _("The match has boards 1 to %(boards)s, not %(board)s.") % {"boards": boards, "board": board}


def _dispute(game: Game, claimed: Result, words: str, team_key: int) -> None:
    open_reports = ResultReport.objects.filter(game=game, state=ResultReport.State.OPEN, by_team=team_key)
    if not open_reports.filter(claimed=claimed.value).exists():
        report_result(game.pk, claimed, role=CAPTAIN, words=words, team=team_key)


def _open_boards(match: TeamMatch) -> bool:
    return any(game.result in OPEN for game in _games(match))


def _games(match: TeamMatch) -> list[Game]:
    return list(Game.objects.filter(pairing__match=match, number=1).select_related("pairing"))


def _day(match: TeamMatch) -> date:
    return match.played_on or timezone.localdate()
