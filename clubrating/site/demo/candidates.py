"""The Candidates Tournament 2024 (Toronto, 4–21 April 2024): a real double round robin of eight, as facts.

Source: the official results (FIDE; draw numbers as drawn, Elo of April 2024), compared by a test with the games file
of vltanh/candidates-2026-monte-carlo (which puts rounds 2 and 3 a day too early; they were played on 5 and 6 April).
Only results are kept: who met whom follows from the Berger tables, with the last two rounds of the first cycle
exchanged.
"""

from datetime import date

from tournaments.standings.points import Result

NAME = "Candidates 2024"
PLACE = "Toronto"
RATINGS_ON = date(2024, 4, 1)
SETTINGS = {"cycles": 2, "swap_last_two": True}

# By draw number: 1 Caruana … 8 Nakamura.
FIELD: tuple[tuple[str, int], ...] = (
    ("Caruana, Fabiano", 2803),
    ("Abasov, Nijat", 2632),
    ("Firouzja, Alireza", 2760),
    ("Gukesh D", 2743),
    ("Vidit, Santosh Gujrathi", 2727),
    ("Praggnanandhaa R", 2747),
    ("Nepomniachtchi, Ian", 2758),
    ("Nakamura, Hikaru", 2789),
)

# The day of each round in April 2024, and its results in board order: 1 White, 0 Black, = a draw.
_ROUNDS = (
    (4, "===="),
    (5, "0011"),
    (6, "===0"),
    (7, "=1=="),
    (9, "01=="),
    (10, "=11="),
    (11, "===1"),
    (13, "1==0"),
    (14, "1==="),
    (15, "11=="),
    (17, "00=1"),
    (18, "101="),
    (20, "=0=1"),
    (21, "==0="),
)
_CODES = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "=": Result.DRAW}

ROUNDS: tuple[tuple[date, tuple[Result, ...]], ...] = tuple(
    (date(2024, 4, day), tuple(_CODES[mark] for mark in marks)) for day, marks in _ROUNDS
)
