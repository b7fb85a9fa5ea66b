"""Invented clubs as the files that the clubs would send: a list that follows from its games, without a database."""

from datetime import date, timedelta
from random import Random

from clubrating.site.lists.list_check import games_of, recompute
from ratings.systems.probation import Probation
from ratings.systems.published import SealedRow, Terms, list_digest, plain_terms
from tournaments.interchange.games_csv import read_exported_games
from tournaments.interchange.list_csv import WrittenRow, write_list

ON = date(2026, 6, 30)
MEMBERS = 9
Files = dict[str, bytes]


def club(
    seed: int, *, system: str = "elo", on: date = ON, name: str = "Ada Lovelace", preset: str = "uscf", games: int = 80
) -> list[bytes]:
    """List and games of a club of nine, the first the strongest."""
    rng = Random(seed)
    lines = ["date,white,black,result,pool"]
    for day in range(240, 0, -240 // games):
        white, black = rng.sample(range(1, MEMBERS + 1), 2)
        result = "1-0" if rng.random() < 0.5 + (black - white) / 20.0 else "0-1"
        lines.append(f"{ON - timedelta(days=day)},#{white},#{black},{result},standard")
    played = "\n".join(lines).encode()
    settings = {"preset": preset} if system == "elo" else {}
    terms = Terms("standard", "standard", on, ((date(1900, 1, 1), system, settings),), Probation(5))
    exported = read_exported_games(played, today=ON, default_pool="standard")
    states = recompute(terms, games_of(terms, exported), exported.births)
    rows = [
        SealedRow(player, state.rating, state.games, terms.probation.holds(state))
        for player, state in sorted(states.items(), key=lambda item: -item[1].rating)
    ]
    plain = plain_terms(terms)
    written = [WrittenRow(place, name, row) for place, row in enumerate(rows, start=1)]
    return [write_list({"list": "standard"}, plain, list_digest(rows, plain), written).encode(), played]


def keys(*more: str) -> bytes:
    """Everybody's: a-1 … a-9 and b-1 … b-9."""
    rows = [f"{letter},{number},{letter.lower()}-{number}" for letter in "AB" for number in range(1, MEMBERS + 1)]
    return "\n".join(["club,number,key", *rows, *more]).encode()


def bridges(*rows: str, result: str = "1") -> bytes:
    """Four games, White of club A, the last on the day of the lists; or those rows."""
    usual = [f"2026-06-{26 + number},a-{number},b-{number},{result}" for number in range(1, 5)]
    return "\n".join(["date,white,black,result", *(rows or usual)]).encode()


def two_clubs() -> Files:
    """Everything that two clubs are joined from."""
    one, other = club(1), club(2)
    return dict(
        zip(
            ("list_a", "games_a", "list_b", "games_b", "keys", "bridges"),
            [*one, *other, keys(), bridges(result="0.5")],
            strict=True,
        )
    )
