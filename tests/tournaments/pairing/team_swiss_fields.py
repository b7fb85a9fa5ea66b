"""Random fields for the team Swiss, from one random generator: events played in part, by the engine or against it."""

from random import Random

from tournaments.pairing.base import PairingError
from tournaments.pairing.team_base import TeamPair
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.pairing import pair_teams
from tournaments.standings.team_event import BoardPoints, TeamBye, TeamMeeting, TeamPenalty, TeamScoring


def seeded_field(seed: int, most: int = 8) -> TeamField:
    """A field of up to `most` teams before some round: forfeits, byes, absent teams, prohibited pairs, penalties, both
    types of preferences, both primary scores, virtual points."""
    lots = Random(seed)
    count, rounds = lots.randint(2, most), lots.randint(2, 7)
    to_pair = lots.randint(1, rounds)
    meetings: list[TeamMeeting] = []
    byes: list[TeamBye] = []
    calm = lots.random() < 0.4
    teams = tuple(range(1, count + 1))
    scoring = TeamScoring(boards=lots.choice((1, 2, 4)), primary=lots.choice(("MP", "MP", "GP")))
    pairs = [frozenset(lots.sample(teams, 2)) for _ in range(lots.choice((0, 0, 0, 1, 2)))]
    virtual = {team: (scoring.win,) * lots.randint(0, 3) for team in teams[: count // 2]} if lots.random() < 0.2 else {}
    penalty = (TeamPenalty(lots.choice(teams), 1, -1, -1),) if lots.random() < 0.1 else ()
    for number in range(1, to_pair + 1):
        field = TeamField(
            teams=teams,
            present=frozenset(teams) if calm else _present(lots, teams),
            meetings=tuple(meetings),
            byes=tuple(byes),
            round=number,
            rounds=rounds,
            scoring=scoring,
            prohibited=frozenset(pairs),
            penalties=penalty,
            preferences=lots.choice(("A", "B", "none")) if number == to_pair else "A",
            secondary=lots.random() < 0.7,
            first_white=lots.random() < 0.5,
            accelerated=virtual,
        )
        if number < to_pair:
            _play(lots, field, meetings, byes, calm=calm)
    return field


def _present(lots: Random, teams: tuple[int, ...]) -> frozenset[int]:
    here = [team for team in teams if lots.random() < 0.93]
    return frozenset(here if len(here) > 1 else teams[:2])


def _play(lots: Random, field: TeamField, meetings: list[TeamMeeting], byes: list[TeamBye], *, calm: bool) -> None:
    scoring = field.scoring
    for pair in _paired(lots, field):
        if pair.black is None:
            byes.append(scoring.bye(field.round, pair.white, "pab"))
            continue
        default = not calm and lots.random() < 0.12
        points = scoring.points
        choices = [(points.win, points.loss), (points.draw, points.draw), (points.loss, points.win)]
        one = lots.choice([(points.win, points.loss), (points.loss, points.win), (points.loss, points.loss)])
        boards = tuple(
            BoardPoints(board, *(one if default else lots.choice(choices)), played=not default)
            for board in range(1, scoring.boards + 1)
        )
        meetings.append(TeamMeeting(field.round, pair.white, pair.black, boards))
    for team in set(field.teams) - field.present:
        kind = lots.choice(("zero", "half", "half", "full"))
        byes.append(scoring.bye(field.round, team, kind))


def _paired(lots: Random, field: TeamField) -> tuple[TeamPair, ...]:
    """By the engine, or at random where an arbiter pairs by hand."""
    if lots.random() < 0.6:
        try:
            return pair_teams(field)
        except PairingError:
            pass
    here = lots.sample(sorted(field.present), len(field.present))
    found = [TeamPair(white, black) for white, black in zip(here[::2], here[1::2], strict=False)]
    return tuple(found + ([TeamPair(here[-1], None)] if len(here) % 2 else []))
