"""The study of pairings: how many games until the list of a club is right, by who pairs its evenings (pure).

In every replication of every world each way of pairing (`rules`) leads the same club (`club`) through the same
evenings. Two estimators of the order follow every way alike, so that the pairing alone differs: the *list*, the club's
usual Elo, and the *belief*, Bradley–Terry with normal priors fitted to all games of those present. After each evening
the share of pairs in true order is taken of both; equal ratings count half.

- `list`, `belief`: games until that share is TARGET for the first time. A run that never gets there counts with all its
  games, so the mean is at least that; `reached` says how many got there.
- `end`: the list's share, mean over the last TAIL evenings.
- `colours`: |Whites − Blacks| at the end, mean over those present; `worst` the largest one of them.
- `repeats`: the share of boards whose two had met within RECENT days; `far` those of a true gap above GAP points;
  `games`: boards in all.

Differences are the figures of SUBJECT less those of another way on the same evenings, with Student's interval of 95 %.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from statistics import fmean
from typing import Any

from ratings.lab.experiment import FIGURE_DIGITS, rounded
from ratings.lab.measures import ordered_pairs
from ratings.lab.scenario_games import SCENARIOS, Scenario
from ratings.lab.study import in_order as numbers_in_order
from ratings.lab.summary import differences, summaries
from tournaments.forecast.learning import GAP
from tournaments.pairing.evening import RECENT, in_order
from tournaments.pairing_study.club import Club
from tournaments.pairing_study.rules import PAIRERS, WEEK, Pairer, Record

EVENINGS, REPLICATIONS = 100, 20
TARGET = 0.9
TAIL, LOOK = 10, 5  # evenings
SUBJECT = "learn"
Row = dict[str, float]
Run = tuple[Row, list[float]]  # figures, and the list's share in order after every LOOK evenings


def run(scenario: Scenario, pairer: Pairer, evenings: int, seed: int, replication: int) -> Run:
    """One way of pairing in one replication."""
    club, record = Club(scenario, seed, replication), Record()
    shares: dict[str, list[float]] = {"list": [], "belief": []}
    played = [0]
    repeats = far = 0
    belief = None
    for number in range(1, evenings + 1):
        night = club.night(number, record.ratings)
        record.join(len(club.people.strength))
        if belief is None or belief.players != tuple(club.present):
            belief = record.belief(club.present)
        boards = pairer(record, belief, night)
        seated = {one for board in boards for one in board}
        for white, black in boards:
            repeats += (number - record.last.get(in_order(white, black), -RECENT)) * WEEK < RECENT
            far += abs(club.people.strength[white] - club.people.strength[black]) > GAP
            record.add(number, white, black, club.play(night, white, black))
        record.rest(night, set(club.present) - set(night.guests), set(night.guests) - seated)
        belief = record.belief(club.present)
        played.append(played[-1] + len(boards))
        shares["list"].append(ordered_pairs([record.ratings[one] for one in club.present], club.strengths))
        shares["belief"].append(ordered_pairs(belief.mean, club.strengths))
    balance = [abs(record.whites[one]) for one in club.present]
    return {
        **{name: _games_until(found, played) for name, found in shares.items()},
        **{f"{name}_reached": float(max(found) >= TARGET) for name, found in shares.items()},
        "end": fmean(shares["list"][-TAIL:]),
        "colours": fmean(balance),
        "worst": float(max(balance)),
        "repeats": repeats / played[-1],
        "far": far / played[-1],
        "games": float(played[-1]),
    }, shares["list"][LOOK - 1 :: LOOK]


def _games_until(shares: Sequence[float], played: Sequence[int]) -> float:
    at = next((at for at, share in enumerate(shares, start=1) if share >= TARGET), len(shares))
    return float(played[at])


# --- the document ----------------------------------------------------------------------------------------------------
MEASURES = ("list", "belief", "end", "colours", "worst", "repeats", "far", "games")


def pairings_report(
    *,
    evenings: int = EVENINGS,
    replications: int = REPLICATIONS,
    seed: int,
    tell: Callable[[int], None],
    worlds: Sequence[Scenario] = SCENARIOS,
    workers: int = 1,
) -> dict[str, Any]:
    """The document, the same for any number of worker processes. `first` has the figures of replication 0, by which it
    can be checked quickly. Raises ValueError for fewer than TAIL evenings or no replication, WorkerStoppedError."""
    if evenings < TAIL or replications < 1:
        raise ValueError(f"The study of pairings takes {TAIL} evenings and one replication at least.")

    def make(replication: int) -> list[dict[str, Run]]:
        return [
            {key: run(world, pairer, evenings, seed, replication) for key, pairer in PAIRERS.items()}
            for world in worlds
        ]

    made: list[list[dict[str, Run]]] = []
    with closing(numbers_in_order(make, range(replications), workers)) as answers:
        for found in answers:
            made.append(found)
            tell(len(made))
    report = {
        "worlds": {world.key: _world([found[at] for found in made]) for at, world in enumerate(worlds)},
        "first": {
            world.key: {key: figures for key, (figures, _shares) in made[0][at].items()}
            for at, world in enumerate(worlds)
        },
    }
    head = {"study": "pairings", "games": evenings, "replications": replications, "seed": seed}
    kept: dict[str, Any] = rounded(report, FIGURE_DIGITS)
    return head | {"target": TARGET, "every": LOOK, "subject": SUBJECT} | kept


def _world(rows: Sequence[Mapping[str, Run]]) -> dict[str, Any]:
    """One world over all replications: figures, how many reached TARGET, differences, and the list's course."""
    figures = {key: {name: [row[key][0][name] for row in rows] for name in MEASURES} for key in PAIRERS}
    return {
        "ways": {key: summaries(found) for key, found in figures.items()},
        "reached": {
            key: {name: sum(row[key][0][f"{name}_reached"] for row in rows) for name in ("list", "belief")}
            for key in PAIRERS
        },
        "differences": {key: differences(figures[SUBJECT], found) for key, found in figures.items() if key != SUBJECT},
        "course": {
            key: [fmean(shares) for shares in zip(*(row[key][1] for row in rows), strict=True)] for key in PAIRERS
        },
    }
