"""`/ratings/<list>/why/<game>/<player>/`: one rating change, explained from its ledger row; and
`/ratings/<list>/contests/<contest>/why/`: a contest with sides, what it did to everybody.

A change tells K, and K may tell an age: without the name there is no such page, and of an opponent whose name is not
seen neither K nor change nor new rating is shown (docs/decisions/0003).
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubrating.ground.figures import round_half_away
from clubrating.web.requests import ClubRequest
from players.models import Player
from players.people.selectors import find_player
from players.privacy.rules import OFFICER, sees_name
from ratings.explain import explainer
from ratings.explain.base import Case, Moved, outcomes, plain, score_text
from ratings.explain.contest_tables import MembersTable, member_rows
from ratings.explain.contests import ContestCase, MemberCase, SideCase
from ratings.explain.tables import OutcomeTable, SideRow, SidesTable
from ratings.lists.selectors.lists import (
    contest_entries,
    contest_members,
    field_step,
    find_list,
    ledger_row,
    period_rows,
    period_step,
)
from ratings.lists.selectors.probation import standing_at
from ratings.lists.services import rules_of
from ratings.models import ContestEntry, LedgerEntry, RatingList
from ratings.systems.base import SEQUENCE_BITS, Handicap, PlayedGame, Side


def why(request: ClubRequest, slug: str, game: int, player: int) -> HttpResponse:
    """The computation, both players' figures, and what other results would have done."""
    viewer = request.viewer
    found = find_list(slug, private=viewer == OFFICER)
    person = find_player(str(player))
    entry = ledger_row(found, game, person) if found and person and sees_name(person, viewer) else None
    if found is None or person is None or entry is None:
        raise Http404
    is_white = entry.game.white_id == person.pk
    opponent = entry.game.black if is_white else entry.game.white
    case = case_of(found, entry, person, opponent, names_other=sees_name(opponent, viewer))
    rows = [
        SideRow(person, case.own, case.score, is_white, own=True),
        SideRow(opponent, case.other, 1.0 - case.score, not is_white, own=False, open=case.names_other),
    ]
    digits = decimals_of(case)
    context = {
        "list": found,
        "person": person,
        "digits": digits,
        "opponent": opponent,
        "entry": entry,
        "case": case,
        "scored": score_text(case.counted),
        "lines": explainer(case.rule.system.key).lines(case),
        "sides": SidesTable(rows if is_white else rows[::-1], rating_list=found, viewer=viewer, digits=digits),
        "outcomes": OutcomeTable(outcomes(case), score=case.score, digits=digits),
        "standing": standing_at(found, case.own),
        "opponent_standing": standing_at(found, case.other),
        "game_number": case.own.games + 1,
        "handicap_uncounted": case.played.handicap is not None and not case.rule.system.reads_handicap,
        "uncounted": "" if getattr(case.settings, "importance", False) else plain(case.played.importance),
    }
    return render(request, "ratings/why.html", context)


def decimals_of(case: Case) -> int:
    """How many decimals ratings and changes have: as many as on the list, and one where whole numbers would contradict
    each other, as “by −1, from 2806 to 2806” does."""
    listed, own = case.rule.system.listing(case.settings).digits, case.own
    if listed or own.before is None or own.change is None or own.after is None:
        return listed
    return int(round_half_away(own.after) - round_half_away(own.before) != round_half_away(own.change))


def case_of(
    rating_list: RatingList, entry: LedgerEntry, player: Player, opponent: Player, *, names_other: bool
) -> Case:
    """The ledger row from the player's side, with the rule that held for the game and what its period did."""
    played = _played(entry)
    rule = rules_of(rating_list).on(played.rules_day)
    is_white = entry.game.white_id == player.pk
    case = Case(
        own=side_of(entry, is_white),
        other=side_of(entry, not is_white),
        is_white=is_white,
        played=played,
        rule=rule,
        probation=rating_list.provisional_games,
        own_birth_year=player.birth_year,
        other_birth_year=opponent.birth_year,
        names_other=names_other,
    )
    if case.by_game:
        normalised = field_step(entry) if rule.system.normalisation(rule.settings) else None
        return replace(case, normalised=normalised)
    step = period_step(entry, player, rule.period)
    mates = [side_of(row, row.white_player == player.pk) for row in period_rows(entry, player, rule.period)]
    return replace(case, mates=mates, moved=Moved(step.before, step.after) if step else None)


def side_of(entry: LedgerEntry, is_white: bool) -> Side:
    """Half a ledger row as the systems know it."""
    colour = "white" if is_white else "black"
    return Side(**{name: getattr(entry, f"{colour}_{name}") for name in Side._fields})


def _played(entry: LedgerEntry) -> PlayedGame:
    """The game as it was rated: rules are read by the event's first day, as `tournaments.rated_games.selectors.games`
    does."""
    game = entry.game
    event_day = game.tournament.starts_on
    white, black = game.white_points, game.black_points
    points = None if white is None or black is None else (white, black)
    return PlayedGame(
        game.pk,
        game.white_id,
        game.black_id,
        entry.score,
        entry.order,
        event_day.toordinal() if event_day else entry.order >> SEQUENCE_BITS,
        game.tournament_id,
        game.tournament.open_ended or game.tournament.closed,
        game.importance,
        None if points is None else abs(points[0] - points[1]),
        points,
        Handicap(game.handicap, game.komi) if game.handicap or game.komi is not None else None,
    )


# --- a contest with sides --------------------------------------------------------------------------------------------
def why_contest(request: ClubRequest, slug: str, contest: int) -> HttpResponse:
    """Every side with its members, how they were compared, and one sentence for each whose name the viewer sees."""
    found = find_list(slug, private=request.viewer == OFFICER)
    entries = contest_entries(found, contest) if found else []
    people = Player.objects.in_bulk([entry.player for entry in entries])
    named = {key for key, player in people.items() if sees_name(player, request.viewer)}
    if found is None or not named:
        raise Http404
    case = contest_case_of(found, entries, named)
    words = explainer(case.rule.system.key)
    rows = member_rows(case, people, words)
    context = {
        "list": found,
        "contest": entries[0].contest,
        "case": case,
        "lines": [words.chances_line(case), *words.contest_lines(case)],
        "members": MembersTable(rows, viewer=request.viewer),
        "told": [row for row in rows if row.member.named],
    }
    return render(request, "ratings/why_contest.html", context)


def contest_case_of(rating_list: RatingList, entries: Sequence[ContestEntry], named: Collection[int]) -> ContestCase:
    """The ledger's rows of one contest, side by side, with the rule that held."""
    contest = entries[0].contest
    members = contest_members(entries[0])
    day = contest.tournament.starts_on or contest.played_on
    sides = []
    for _side, rows in groupby(entries, key=lambda entry: entry.side):
        own = list(rows)
        cases = (_member(entry, members[entry.player].weight, entry.player in named) for entry in own)
        sides.append(SideCase(own[0].place, tuple(cases), members[own[0].player].side.score))
    return ContestCase(tuple(sides), rules_of(rating_list).on(day))


def _member(entry: ContestEntry, weight: float, named: bool) -> MemberCase:
    columns = ("before", "deviation", "change", "after", "deviation_after", "expected", "k")
    return MemberCase(entry.player, weight=weight, named=named, **{name: getattr(entry, name) for name in columns})
