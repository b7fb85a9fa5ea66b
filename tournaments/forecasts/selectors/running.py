"""An event under way as the forecasts take it: what is played, what is still to come, how places are found.

Of a round robin all games are known, and of a knockout all matches, in drafted rounds too: an officer's facts are
needed for those (`EventData` as everybody sees them end with the last published round). Of a Swiss only what is
published counts.
"""

from clubrating.ground.figures import round_half_away
from tournaments.events.selectors.event_data import EventData, MatchData, RoundData
from tournaments.events.selectors.stages import round_limit, system_of
from tournaments.events.selectors.standings import by_number, is_swiss, leavers_of, meetings_of, points_of
from tournaments.forecast.knockout_playouts import Key, KnockoutToCome
from tournaments.forecast.outcomes import Running
from tournaments.forecast.swiss_rounds import SwissToCome
from tournaments.knockouts.selectors.brackets import counted, match_points
from tournaments.pairing.base import Bracket, Match, RoundSystem, Source, read_options
from tournaments.rounds.selectors.field import attendance, bye_points, pairing_field, rounds_before
from tournaments.standings.crosstable import Bye
from tournaments.standings.tiebreaks import tiebreaks_of


def running_of(event: EventData) -> Running:
    """The event with all its rounds, to be ranked when they are over. In a round robin every bye counts as it will."""
    swiss = is_swiss(event.stage)
    rows = [row for row in event.rounds if not (swiss and row.is_draft)]
    people = by_number(event)
    return Running(
        players=tuple(sorted(people)),
        meetings=tuple(meetings_of(rows)),
        points=points_of(event),
        tiebreaks=tiebreaks_of(event.tournament.tiebreaks),
        byes=tuple(_byes(event, rows)),
        rounds=event.planned_rounds or max((row.number for row in rows), default=0),
        edition=event.tournament.tiebreak_edition,
        ratings={number: round_half_away(one.rating) for number, one in people.items() if one.rating is not None},
        lots=event.tournament.tiebreak_lots,
        annulled=frozenset(leaver.entrant.number or 0 for leaver in leavers_of(event) if leaver.annulled),
        swiss=swiss,
    )


def _byes(event: EventData, rows: list[RoundData]) -> list[Bye]:
    return [
        Bye(row.number, bye.entrant.number or 0, bye_points(event.stage, bye.kind), bye.kind)
        for row in rows
        for bye in row.byes
    ]


# --- a Swiss ----------------------------------------------------------------------------------------------------------
def swiss_to_come(event: EventData) -> SwissToCome:
    """The rounds that are still to be paired. Whoever is in now is taken to play on to the end; byes asked for in
    rounds to come are left out. Some seven queries."""
    system, limit = system_of(event.stage), round_limit(event.stage)
    assert isinstance(system, RoundSystem)
    assert limit is not None
    published = [row.number for row in event.rounds if not row.is_draft]
    offset = rounds_before(event.stage)
    number = max(published, default=offset) + 1
    field = pairing_field(event.stage, number, attendance(event.stage, number).keys)
    return SwissToCome(system, event.stage.settings, field, limit, offset)


# --- a knockout -------------------------------------------------------------------------------------------------------
def knockout_to_come(event: EventData) -> KnockoutToCome:
    """The bracket under way, pairing numbers for seeds. Where a match goes into extra games, those made so far are to
    come; its odds afterwards are those of one more game."""
    system = system_of(event.stage)
    assert system is not None
    games = int(read_options(system.options, event.stage.settings)["games"])
    return KnockoutToCome(bracket_to_come(event), winners_of(event), _leads(event, games), games)


def _leads(event: EventData, best_of: int) -> dict[Key, tuple[int, int]]:
    """Of each match under way: by how many half-points the upper line leads, and how many games are to come."""
    found: dict[Key, tuple[int, int]] = {}
    for at, match in _matches(event):
        if match.begun and not match.decided:
            upper, lower = match_points(match)
            played = sum(game.decided for game in counted(match))
            extra = sum(not game.decided for game in counted(match))
            found[at, match.board] = upper - lower, best_of - played if played < best_of else extra
    return found


def _matches(event: EventData) -> list[tuple[int, MatchData]]:
    """All matches with their round, counted from 1."""
    rows = [row for row in event.rounds if row.matches]
    return [(at, match) for at, row in enumerate(rows, start=1) for match in row.matches]


def bracket_to_come(event: EventData) -> Bracket:
    """The bracket with pairing numbers for seeds, its matches by round and board, as `tournaments.pairing` draws it."""
    matches, feeding = _matches(event), _feeding(event)
    last = max((at for at, _match in matches), default=0)
    final = min((match.slot for at, match in matches if at == last), default=0)
    drawn = [
        Match(at, match.board, match.slot, *_lines(match, feeding), third_place=at == last and match.slot != final)
        for at, match in matches
    ]
    return tuple(sorted(drawn, key=lambda match: (match.round, match.board)))


def winners_of(event: EventData) -> dict[Key, int]:
    """Who went on, by the match's round and board; matches with a bye need none."""
    found: dict[Key, int] = {}
    for at, match in _matches(event):
        number = {one.key: one.number for one in (match.upper, match.lower) if one}.get(match.advanced or 0)
        if number is not None and not match.is_bye:
            found[at, match.board] = number
    return found


def _feeding(event: EventData) -> dict[int, list[Source]]:
    """Who comes into each later match (by key), from the upper line to the lower: winners and losers of earlier ones in
    the order of their places in the bracket."""
    found: dict[int, list[tuple[int, Source]]] = {}
    for at, match in _matches(event):
        if match.winner_to is not None:
            found.setdefault(match.winner_to, []).append((match.slot, Source(match=(at, match.board))))
        if match.loser_to is not None:
            loser = Source(match=(at, match.board), loser=True)
            found.setdefault(match.loser_to, []).append((match.slot, loser))
    return {key: [source for _slot, source in sorted(feeds, key=lambda feed: feed[0])] for key, feeds in found.items()}


def _lines(match: MatchData, feeding: dict[int, list[Source]]) -> tuple[Source, Source]:
    """Where nobody comes from an earlier match, a seed stands, or nobody (a bye)."""
    feeds = feeding.get(match.key)
    if feeds and len(feeds) == 2:
        return feeds[0], feeds[1]
    upper, lower = (Source(seed=one.number) if one else Source() for one in (match.upper, match.lower))
    return upper, lower
