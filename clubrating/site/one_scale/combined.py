"""Several clubs' lists on the first one's scale: shifts, a combined list by key, the next bridge games (pure).

Each club's own games say who is how strong in it, bridge games join the clubs (`ratings.history.one_scale`). A shift is
added to all ratings of a club's list: the difference of the two clubs' levels less that of the lists' mean ratings.
How fast strengths move, the draws and White's advantage are found from all clubs' games (`ratings.history.tuning`).

COMBINED.csv: lines `# key: value` (kind, on, digest, made_from, clubs, next; the last three JSON), then a line a key:
place, key, club, rating (the list's; two of somebody in two clubs), joined (on club A's scale), both in whole points:
four decimals would name everybody. No interval stands beside a member: his rating is his list's, and the shift aligns
only the means of lists. The digest is the SHA-256 of all other lines. The JSON file has the same. The same inputs give
the same bytes.
"""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from clubrating.ground.figures import round_half_away
from clubrating.ground.marks import marked
from clubrating.site.one_scale.inputs import Club, Inputs, members_by_key, month_of, unused_keys
from ratings.history.one_scale import Joined, Member, Own, Terms, best_match, join, own_of
from ratings.history.tuning import tuned
from ratings.history.whole_history import Z95, HistoryGame, Model, When, whole_history

COLUMNS = ("place", "key", "club", "rating", "joined")
KIND = "one-scale"
BOARDS = 4  # of the next match between two clubs
MOSTLY = 0.5
# Where clubs are so far apart and so much is assumed, intervals held too rarely (docs/algorithms/one-scale.md).
FAR_APART, STILL_ASSUMED = 150.0, 0.05
MANY = 1_000  # games from which on the model is found by one fold of them: five times as fast


class Shift(NamedTuple):
    """What is added to the ratings of a club's list, with its deviation and 95 % interval, in points. `apart`: by how
    much its members with a place (`placed`) are stronger than those of the first club; `assumed`: by how many points
    the shift would move for each point by which the clubs are assumed to differ beforehand."""

    club: str
    placed: int
    keys: int
    games: int
    apart: float
    shift: float
    deviation: float
    low: float
    high: float
    assumed: float

    @property
    def warning(self) -> str:
        """Where the figure is little more than an assumption, is drawn to it, or has an open sign; else nothing."""
        if self.assumed >= MOSTLY:
            return marked("More than half of this is an assumption: play more games between the clubs first.")
        if abs(self.apart) >= FAR_APART and self.assumed >= STILL_ASSUMED:
            return marked(
                "The clubs seem far apart in strength. Then few games show too small a difference and the interval"
                " promises too much: play more."
            )
        if self.low < 0.0 < self.high:
            return marked("It is still open which of the two lists rates its members higher.")
        return ""

    def plain(self) -> dict[str, Any]:
        """As it is written into the files, the warning in English."""
        return {**self._asdict(), "warning": self.warning}


class Row(NamedTuple):
    """A line of the combined list. `club` and `rating` have two parts of somebody in two clubs."""

    place: int
    key: str
    club: str
    rating: str
    joined: int


class NextGame(NamedTuple):
    """A bridge game to come: the deviation of the two clubs' difference as it is `now`, and `after` this game and those
    of the boards before it."""

    club: str
    other: str
    board: int
    key: str
    other_key: str
    now: float
    after: float


@dataclass(frozen=True)
class Combined:
    """What comes of the inputs."""

    on: str
    made_from: Mapping[str, Any]
    shifts: tuple[Shift, ...]
    rows: tuple[Row, ...]
    next_games: tuple[NextGame, ...]


def combine(inputs: Inputs) -> Combined:
    """The clubs on the first one's scale."""
    model = _model(inputs)
    owns = [_own(inputs, at, model) for at in range(len(inputs.clubs))]
    terms = Terms(draw_rate=model.draw_rate, advantage=model.advantage)
    joined = join(owns, inputs.bridges, terms, inputs.same)
    shifts = tuple(_shift(inputs.clubs, joined, at) for at in range(len(inputs.clubs)))
    made_from = {
        "files": dict(inputs.digests),
        "bridge_games": len(inputs.bridges),
        "shared_members": len(inputs.same),
        "shared_without_place": unused_keys(inputs.clubs),
        "not_checked": list(inputs.unchecked),
        "spread": terms.spread,
        "model": {name: value for name, value in asdict(model).items() if name != "mean"},
    }
    rows = tuple(_rows(inputs.clubs, shifts))
    return Combined(inputs.on.isoformat(), made_from, shifts, rows, tuple(_next_games(inputs, joined, terms)))


def _games_of(club: Club) -> list[HistoryGame]:
    return [HistoryGame(game.white, game.black, month_of(game.played_on), game.score) for game in club.games]


def _model(inputs: Inputs) -> Model:
    """Found from the games of all clubs, rounded as it is told."""
    clubs = len(inputs.clubs)
    games = [
        game._replace(first=game.first * clubs + at, second=game.second * clubs + at)
        for at, club in enumerate(inputs.clubs)
        for game in _games_of(club)
    ]
    found = tuned(games, many=MANY).model
    return replace(
        found,
        prior=round(found.prior, 1),
        drift=round(found.drift, 1),
        draw_rate=round(found.draw_rate, 3),
        advantage=round(found.advantage, 1),
    )


def _own(inputs: Inputs, at: int, model: Model) -> Own:
    """What a club's own games say of its members with a place, and of who played bridge games on the days of these."""
    club, day = inputs.clubs[at], inputs.on.toordinal()
    sides = [(side, bridge.day) for bridge in inputs.bridges for side in (bridge.first, bridge.second)]
    more = [When(side.player, played) for side, played in sides if side.club == at]
    also: dict[int, list[int]] = {player: [day] for player in club.ratings}
    for when in more:
        also.setdefault(when.player, []).append(when.day)
    return own_of(whole_history(_games_of(club), model, also=also), list(club.ratings), day, more)


def _shift(clubs: tuple[Club, ...], joined: Joined, at: int) -> Shift:
    means = [fmean(row.rating for row in clubs[each].ratings.values()) for each in (0, at)]
    level = joined.levels(at, 0)
    shift, away = round(level.mean - (means[1] - means[0]), 1), Z95 * level.deviation
    club = clubs[at]
    return Shift(
        club.letter,
        len(club.ratings),
        len(_keyed(club)),
        len(club.games),
        round(level.mean, 1),
        shift,
        round(level.deviation, 1),
        round(shift - away, 1),
        round(shift + away, 1),
        round(joined.assumed(at, 0), 3) if at else 0.0,
    )


def _keyed(club: Club) -> dict[int, str]:
    """Members with a place and a key."""
    return {number: key for number, key in sorted(club.keys.items()) if number in club.ratings}


def _rows(clubs: tuple[Club, ...], shifts: tuple[Shift, ...]) -> list[Row]:
    """The combined list; of somebody in two clubs the mean of both ratings, each as much as it has games."""
    rows = []
    for key, members in members_by_key(clubs).items():
        placed = [each for each in members if each.player in clubs[each.club].ratings]
        if not placed:
            continue
        own = [clubs[each.club].ratings[each.player] for each in placed]
        shifted = [row.rating + shifts[each.club].shift for row, each in zip(own, placed, strict=True)]
        weights = [max(row.games, 1) for row in own]
        rating = sum(value * weight for value, weight in zip(shifted, weights, strict=True)) / sum(weights)
        letters = " ".join(clubs[each.club].letter for each in placed)
        figures = " ".join(str(round_half_away(row.rating)) for row in own)
        rows.append(Row(0, key, letters, figures, round_half_away(rating)))
    rows.sort(key=lambda row: (-row.joined, row.key))
    places: dict[int, int] = {}
    return [row._replace(place=places.setdefault(row.joined, place)) for place, row in enumerate(rows, start=1)]


def _next_games(inputs: Inputs, joined: Joined, terms: Terms) -> list[NextGame]:
    """For every two clubs the match that would tell most of their difference; nobody of both clubs plays in it."""
    shared = {member for pair in inputs.same for member in pair}
    found = []
    for one, other in combinations(range(len(inputs.clubs)), 2):
        names = {
            at: {n: key for n, key in _keyed(inputs.clubs[at]).items() if Member(at, n) not in shared}
            for at in (one, other)
        }
        now = round(joined.levels(one, other).deviation, 1)
        among = {at: list(names[at]) for at in (one, other)}
        for board, game in enumerate(best_match(joined, one, other, BOARDS, terms, among), start=1):
            keys = names[one][game.one.player], names[other][game.other.player]
            letters = inputs.clubs[one].letter, inputs.clubs[other].letter
            found.append(NextGame(*letters, board, *keys, now, round(game.deviation, 1)))
    return found


# --- files ----------------------------------------------------------------------------------------------------------
def as_csv(combined: Combined) -> str:
    """COMBINED.csv."""
    facts = {
        "made_from": combined.made_from,
        "clubs": [row.plain() for row in combined.shifts],
        "next": [row._asdict() for row in combined.next_games],
    }
    text = io.StringIO()
    for name, plain in facts.items():
        text.write(f"# {name}: {json.dumps(plain, separators=(',', ':'))}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(combined.rows)
    head, body = f"# kind: {KIND}\n# on: {combined.on}\n", text.getvalue()
    return f"{head}# digest: {sha256((head + body).encode()).hexdigest()}\n{body}"


def digest_of(text: str) -> str:
    """The digest that COMBINED.csv carries."""
    return text.split("# digest: ", 1)[1][:64]


def as_json(combined: Combined) -> str:
    """The same as one JSON object."""
    plain = {
        "kind": KIND,
        "on": combined.on,
        "digest": digest_of(as_csv(combined)),
        "made_from": combined.made_from,
        "clubs": [row.plain() for row in combined.shifts],
        "next": [row._asdict() for row in combined.next_games],
        "players": [row._asdict() for row in combined.rows],
    }
    return json.dumps(plain, indent=1) + "\n"
