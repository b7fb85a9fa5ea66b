"""Line-ups: handed in by a captain or the arbiter, and made into boards.

Until both sides are in (or the arbiter opens the match) a line-up is only a request and nobody but its own side sees
it. Opening the match makes the boards: a pairing, two seats and a game each; from then on the seats are the line-up.
A player without an opponent wins the board by default: a pairing with one seat. A board nobody sits on is no pairing.
"""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.events.services.unplayed import refuse_closed
from tournaments.models import (
    ByeKind,
    Colour,
    Entry,
    Game,
    LineUp,
    LineUpPlace,
    Pairing,
    Round,
    Seat,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
    Tournament,
)
from tournaments.teams.selectors.colours import whites_of
from tournaments.teams.selectors.eligibility import order_of_list
from tournaments.teams.selectors.facts import AWAY, HOME
from tournaments.teams.selectors.lists import Places, on_the_list


@transaction.atomic
def hand_in(
    match_key: int,
    team_key: int,
    places: Places,
    *,
    by: User | None,
    role: str = "",
    note: str = "",
    revision: int | None = None,
) -> LineUp:
    """Keep a side's line-up, new or changed, while the boards are not made. Raises Refused for somebody who is not on
    the team's list that day or stands twice, for too many boards, and once the match is open; Stale for another
    `revision` than the line-up has."""
    match = lock_match(match_key)
    team = _side(match, team_key)
    if match.boards.exists():
        raise Refused(_("The boards of this match are made: ask the arbiter for a change."))
    rules = rules_of(match)
    if len(places) > rules.boards:
        text = _("The line-up has %(count)s boards, the match %(boards)s.")
        raise Refused(text % {"count": len(places), "boards": rules.boards})
    players = _players(match, team, places)
    if not players:
        raise Refused(_("The line-up is empty: name at least one player."))
    line_up = LineUp.objects.filter(match=match, team=team).first() or LineUp(match=match, team=team)
    if revision is not None and (line_up.revision if line_up.pk else 0) != revision:
        raise Stale(_("This line-up was changed meanwhile: look at it again, then change it."))
    before = image(line_up) if line_up.pk else {}
    line_up.handed_in_at, line_up.by, line_up.note = timezone.now(), by, note.strip()
    line_up.made_up = False
    line_up.revision += 1
    line_up.save()
    _write(line_up, players, rules.boards)
    write_audit("line-up.handed-in", match, by=by, before=before, after=image(line_up), role=role, note=line_up.note)
    return line_up


@transaction.atomic
def open_match(
    match_key: int, *, by: User | None, first_white: str = "", only_if_both: bool = False, role: str = ""
) -> bool:
    """Make the boards of a match. Where a side handed nothing in, its list in order fills the boards, and the line-up
    is marked so; `only_if_both`: do nothing then. `first_white`: who has White on board 1, where the captains toss.
    Whether the boards are made. Raises Refused for a bye, a draft, a postponed match, and one that is open already."""
    lock_lists()
    match = lock_match(match_key)
    line_ups = {line_up.team_id: line_up for line_up in match.line_ups.all()}
    if only_if_both and (match.postponed or len(line_ups) < len((HOME, AWAY))):
        return False
    _check_can_open(match)
    rules = rules_of(match)
    sides = [team for team in (match.home, match.away) if team is not None]
    if first_white and first_white not in ("home", "away"):
        raise Refused(_("“%(value)s” is none of the choices.") % {"value": first_white[:20]})
    match.first_white = first_white or match.first_white
    if not match.first_white:
        if only_if_both:
            return False
        raise Refused(_("Say who has White on board 1: the captains toss for it."))
    for team in sides:
        if team.pk not in line_ups:
            line_ups[team.pk] = _fill_in(match, team, rules)
    home, away = (_entries(match, line_ups[team.pk], rules.boards) for team in sides)
    if not home and not away:
        raise Refused(_("Nobody is named on either side: hand in a line-up first."))
    seat_boards(match, rules, home, away)
    match.revision += 1
    match.save()
    write_audit("match.opened", match, by=by, after={"first_white": match.first_white}, role=role)
    return True


def seat_boards(match: TeamMatch, rules: TeamRules, home: Mapping[int, Entry], away: Mapping[int, Entry]) -> None:
    """Write the boards of a match from the two sides' entries by board. `Pairing.board` counts through the round."""
    stage, at_home = match.round.stage, whites_of(match, rules)
    _check_free(match, [*home.values(), *away.values()])
    for number in range(1, rules.boards + 1):
        sides = [(line, side[number]) for line, side in ((HOME, home), (AWAY, away)) if number in side]
        if not sides:
            continue
        pairing = Pairing.objects.create(
            stage=stage,
            round=match.round,
            board=(match.number - 1) * rules.boards + number,
            match=match,
            match_board=number,
            bye="" if len(sides) == len((HOME, AWAY)) else ByeKind.FULL,
        )
        has_white = {HOME: at_home[number - 1], AWAY: not at_home[number - 1]}
        for line, entry in sides:
            colour = Colour.NONE if pairing.bye else Colour.WHITE if has_white[line] else Colour.BLACK
            Seat.objects.create(pairing=pairing, round=match.round, entry=entry, line=line, colour=colour)
        if not pairing.bye:
            white, black = sorted(sides, key=lambda side: not has_white[side[0]])
            Game.objects.create(
                tournament=stage.tournament,
                pairing=pairing,
                pool=stage.pool or stage.tournament.pool,
                white=white[1].player,
                black=black[1].player,
            )


@transaction.atomic
def change_board(
    match_key: int, board: int, team_key: int, row_key: int | None, *, by: User | None, reason: str, note: str = ""
) -> None:
    """Seat somebody else on a board that has no result, or nobody (`row_key` None). Somebody who sits on another board
    of the match exchanges places, where neither board has a result. Raises Refused without a reason, and where a result
    stands: that is corrected, not replaced."""
    lock_lists()
    match = lock_match(match_key)
    rules, team = rules_of(match), _side(match, team_key)
    _check_change(match, rules, board, reason)
    entry = _players(match, team, [row_key], board)[board].entry if row_key is not None else None
    sides = {line: seated(match, line) for line in (HOME, AWAY)}
    line = HOME if team == match.home else AWAY
    before, now = sides[line], _exchanged(sides[line], board, entry)
    touched = [number for number in range(1, rules.boards + 1) if before.get(number) != now.get(number)]
    if not touched:
        raise Refused(_("Nothing was changed: board %(board)s stands so already.") % {"board": board})
    clear_boards(match, touched)
    sides[line] = now
    home, away = ({number: sides[side][number] for number in touched if number in sides[side]} for side in (HOME, AWAY))
    seat_boards(match, rules, home, away)
    match.revision += 1
    match.save(update_fields=["revision"])
    images = ({"team": team.pk, "players": _numbers(seats)} for seats in (before, now))
    write_audit("line-up.changed", match, by=by, before=next(images), after=next(images), reason=reason, note=note)


def _check_change(match: TeamMatch, rules: TeamRules, board: int, reason: str) -> None:
    if not reason:
        raise Refused(_("A late change of a line-up needs a reason: choose one."))
    if not match.boards.exists():
        raise Refused(_("The boards of this match are not made yet: change the line-up."))
    if not 1 <= board <= rules.boards:
        raise Refused(_("The match has boards 1 to %(boards)s.") % {"boards": rules.boards})


def _exchanged(seats: Mapping[int, Entry], board: int, entry: Entry | None) -> dict[int, Entry]:
    """The seats of a side with that entry on a board; whoever sat there takes the board the entry comes from."""
    now = dict(seats)
    was = now.pop(board, None)
    came_from = next((number for number, sits in now.items() if sits == entry), None)
    if came_from is not None:
        del now[came_from]
        if was is not None:
            now[came_from] = was
    if entry is not None:
        now[board] = entry
    return now


def seated(match: TeamMatch, line: int) -> dict[int, Entry]:
    """Who sits for a side (`HOME`, `AWAY`), by board."""
    seats = Seat.objects.filter(pairing__match=match, line=line).select_related("pairing", "entry__player")
    return {seat.pairing.match_board or 0: seat.entry for seat in seats}


def _numbers(seats: Mapping[int, Entry]) -> dict[str, int]:
    return {str(board): entry.player.number for board, entry in sorted(seats.items())}


def clear_boards(match: TeamMatch, numbers: Sequence[int] | None = None) -> None:
    """Take boards of a locked match away, all or those of the `numbers`. Raises Refused where one has a result."""
    pairings = Pairing.objects.filter(match=match)
    if numbers is not None:
        pairings = pairings.filter(match_board__in=numbers)
    for game in Game.objects.select_for_update(of=("self",)).filter(pairing__in=pairings).select_related("pairing"):
        if game.result:
            text = _("Board %(board)s has a result: correct or clear it first.")
            raise Refused(text % {"board": game.pairing.match_board})
        game.delete()
    pairings.delete()


def image(line_up: LineUp) -> dict[str, object]:
    """A line-up for the audit trail: the numbers of its players by board, 0 for nobody."""
    rows = line_up.places.select_related("player__entry__player").order_by("board")
    numbers = [row.player.entry.player.number if row.player else 0 for row in rows]
    return {"team": line_up.team_id, "players": numbers}


def lock_match(match_key: int) -> TeamMatch:
    """A match of an event that is not over, locked. Raises Stale where its round was deleted meanwhile, Refused."""
    found = TeamMatch.objects.filter(pk=match_key).values_list("round__stage__tournament", flat=True).first()
    if found is None:
        raise Stale(_("This match was deleted meanwhile: look at the round again."))
    refuse_closed(Tournament.objects.select_for_update(no_key=True).get(pk=found))
    rows = TeamMatch.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("round__stage__tournament__team_rules", "home", "away").get(pk=match_key)


def rules_of(match: TeamMatch) -> TeamRules:
    """The rules of a match's event: no query for a match from `lock_match`."""
    return match.round.stage.tournament.team_rules


def _check_can_open(match: TeamMatch) -> None:
    if match.away is None or match.home is None:
        raise Refused(_("This team has no opponent: there are no boards."))
    if match.boards.exists():
        raise Refused(_("The boards of this match are made already."))
    if match.round.state == Round.State.DRAFT:
        raise Refused(_("Round %(number)s is a draft: publish it first.") % {"number": match.round.number})
    if match.postponed:
        raise Refused(_("The match is postponed: enter its new day first."))
    if match.absent:
        raise Refused(_("The match was decided because a team did not come: take that back first."))


def _side(match: TeamMatch, team_key: int) -> Team:
    sides = [team for team in (match.home, match.away) if team is not None and team.pk == team_key]
    if not sides:
        raise Refused(_("This team does not play in the match."))
    return sides[0]


def _players(match: TeamMatch, team: Team, places: Places, first_board: int = 1) -> dict[int, TeamPlayer]:
    """The rows by board, from `first_board` down. Raises Refused, naming the board."""
    day = match.played_on or match.round.planned_on
    known = {row.pk: row for row in on_the_list(team, day)}
    found: dict[int, TeamPlayer] = {}
    for board, key in enumerate(places, start=first_board):
        if key is None:
            continue
        if key not in known:
            text = _("Board %(board)s: this player is not on the list of “%(team)s” on the day of the match.")
            raise Refused(text % {"board": board, "team": team.name})
        if known[key] in found.values():
            text = _("Board %(board)s: player %(number)s sits on a board above already.")
            raise Refused(text % {"board": board, "number": f"#{known[key].entry.player.number}"})
        found[board] = known[key]
    return found


def _write(line_up: LineUp, players: Mapping[int, TeamPlayer], boards: int) -> None:
    line_up.places.all().delete()
    LineUpPlace.objects.bulk_create(
        LineUpPlace(line_up=line_up, board=board, player=players.get(board)) for board in range(1, boards + 1)
    )


def _fill_in(match: TeamMatch, team: Team, rules: TeamRules) -> LineUp:
    line_up = LineUp.objects.create(match=match, team=team, handed_in_at=timezone.now(), made_up=True)
    _write(line_up, dict(enumerate(order_of_list(match, team, rules), start=1)), rules.boards)
    return line_up


def _entries(match: TeamMatch, line_up: LineUp, boards: int) -> dict[int, Entry]:
    """Who sits down, by board. Raises Refused for somebody who left the team's list since it was handed in."""
    keys = {row.board: row.player_id for row in line_up.places.filter(player__isnull=False)}
    there = [keys.get(board) for board in range(1, boards + 1)]
    return {board: row.entry for board, row in _players(match, line_up.team, there).items()}


def _check_free(match: TeamMatch, entries: Sequence[Entry]) -> None:
    """Nobody sits twice in a round; said here so that it is no error of the database."""
    taken = Seat.objects.filter(round=match.round, entry__in=entries, superseded=False).select_related("entry__player")
    twice = taken.first()
    if twice or len({entry.pk for entry in entries}) < len(entries):
        number = f"#{(twice.entry if twice else entries[0]).player.number}"
        raise Refused(_("Player %(number)s sits on two boards of this round: change one line-up.") % {"number": number})
