"""The files one study leaves behind: its thirteen charts, result tables, indices and, on request, the log of its games.

Source: the Russian study of six rating systems, its output files. As there, the names begin with the number of the
program, (1) for the imitator and (4) for the variant with newcomers, and files of an earlier run go first. Two runs
with the same seed write the same bytes, whatever the engine.

    (1)_chart_01_league.png …   ratings after every 10th game, then after every 100th, then the index of all systems
    (1)_graph_.png              all the charts in a single bitmap
    (1)_table_league.txt …      the sorted table after every 1000 games
    (1)_index_.txt              mean indices
    (1)_index_.csv              the index after every 100 games
    (1)_fights_.txt             every game, computed in every system (`ratings.lab.game_log`)
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from ratings.lab.contenders import Contender
from ratings.lab.engine import Engine
from ratings.lab.game_log import GameLog, number
from ratings.lab.pictures import (
    COLUMNS,
    Grid,
    draw_table,
    drawn,
    index_picture,
    look_of,
    points_of,
    rating_picture,
    ruled_grid,
    save,
    sheet,
    table_order,
)
from ratings.lab.table import EVERY, Table
from ratings.lab.world import Person, Stretch, stretches

PREFIXES = {False: "(1)", True: "(4)"}  # by `newcomers`
FINE = 10  # games a column in the first half of the charts
FINE_UNTIL = FINE * COLUMNS
TABLE_EVERY = 1000
FIRST_RANGE, SECOND_RANGE = 10_000, 100_000  # the games with which the ranges of the two mean indices end
# What a system remembers besides the rating, as its table calls it: by key of the system, second and third column.
REMEMBERED = {"r2": ("K",), "glicko": ("RD",), "glicko2": ("RD", "volatility")}
_OWN_FILE = re.compile(r"_(?:chart_\d+_[\w-]+\.png|graph_\.png|table_[\w-]+\.txt|index_\.(?:txt|csv)|fights_\.txt)")


class Piece:
    """Games played between two looks at the tables; `done` counts those of the study up to its end."""

    def __init__(self, stretch: Stretch, start: int, end: int, done: int) -> None:
        self.white, self.black = stretch.white[start:end], stretch.black[start:end]
        self.scores = stretch.scores[start:end]
        self.games, self.done = end - start, done

    def winners(self) -> Iterator[int]:
        for white, black, score in zip(self.white, self.black, self.scores, strict=True):
            yield int(white if score == 1.0 else black)


def pieces(stretch: Stretch, before: int) -> Iterator[Piece]:
    """A stretch cut at the looks: after every 10th game up to 10,000, after every 100th from there. `before`: games of
    the study played before it."""
    start, games = 0, len(stretch.white)
    while start < games:
        done = before + start
        every = FINE if done < FINE_UNTIL else EVERY
        end = min(games, start + every - done % every)
        yield Piece(stretch, start, end, before + end)
        start = end


class Record:
    """One system's share of the study: its table, both its charts, its index, its file of tables."""

    def __init__(self, contender: Contender, engine: Engine, file: TextIO) -> None:
        self.contender, self.file = contender, file
        self.table = Table(contender, engine, [])
        self.scale = look_of(contender).scale
        self.fine, self.coarse = ruled_grid(self.scale), ruled_grid(self.scale)
        self.index: list[int] = []

    def play(self, piece: Piece, people: Sequence[Person], wins: Sequence[int]) -> None:
        """Rate the games of a piece, then look at the table where the study does."""
        is_sorted = piece.done % EVERY == 0
        # The table itself is sorted at every 100th game only; `every` beyond the piece leaves it alone.
        self.index += self.table.play(
            piece.white, piece.black, piece.scores, piece.games if is_sorted else piece.games + 1
        )
        if piece.done <= FINE_UNTIL and piece.done % FINE == 0:
            self._draw(self.fine, piece.done // FINE - 1)
        if is_sorted and piece.done <= EVERY * COLUMNS:
            self._draw(self.coarse, piece.done // EVERY - 1)
        if piece.done % TABLE_EVERY == 0:
            self.file.writelines(line + "\n" for line in self._lines(piece.done, people, wins))

    def _draw(self, grid: Grid, column: int) -> None:
        ratings, strengths = self.table.ratings, self.table.strengths
        order = table_order(self.table.order, ratings)
        draw_table(grid, column, [ratings[at] for at in order], [strengths[at] for at in order], self.scale)

    def _lines(self, games: int, people: Sequence[Person], wins: Sequence[int]) -> Iterator[str]:
        remembered = REMEMBERED.get(self.contender.system.key, ())
        order = self.table.order
        points = points_of([people[at].strength for at in order])
        yield f"After {games} games. Index: {self.index[-1]}"
        yield _row("place", "player", "number", "rating", "games", "wins", "losses", *remembered, "points")
        for place, at in enumerate(order, 1):
            rating, second, third, played = self.table.figures(at)
            more = [number(value) for value in (second, third)[: len(remembered)]]
            # The last one has nobody below him to be compared with.
            cost = f"{points[place - 1]}" if place < len(order) else "-"
            yield _row(
                f"{place}", people[at].name, f"{at + 1}", number(rating),
                f"{played}", f"{wins[at]}", f"{played - wins[at]}", *more, cost,
            )  # fmt: skip
        yield ""


def _row(place: str, player: str, *figures: str) -> str:
    return f"{place:>5}  {player:<8}" + "".join(f"{figure:>12}" for figure in figures)


def write_study_files(
    folder: Path,
    *,
    games: int,
    seed: int,
    replication: int,
    newcomers: bool,
    contenders: Sequence[Contender],
    engine: Engine,
    log: bool,
    tell: Callable[[int], None],
) -> list[Path]:
    """Run one replication and write its files into the folder, which is made where it is missing; files of an earlier
    run of the same program are removed first. `tell` hears the games done, every thousand and at the end.

    Answers the files: charts in their order, the bitmap of all, tables, indices, the log. Raises OSError.
    """
    prefix = PREFIXES[newcomers]
    folder.mkdir(parents=True, exist_ok=True)
    remove_files(folder, newcomers=newcomers)
    tables = [folder / f"{prefix}_table_{each.key}.txt" for each in contenders]
    fights = [folder / f"{prefix}_fights_.txt"] if log else []
    with ExitStack() as stack:
        files = [stack.enter_context(_opened(path)) for path in (*tables, *fights)]
        records = [Record(each, engine, file) for each, file in zip(contenders, files, strict=False)]
        run = Run(records, (GameLog(contenders), files[-1]) if log else None, tell)
        for stretch in stretches(games, seed, replication, engine, newcomers=newcomers):
            run.play(stretch)
        if run.done % TABLE_EVERY:
            tell(run.done)
    return [
        *write_charts(folder, prefix, records),
        *tables,
        *write_indices(folder, prefix, records),
        *fights,
    ]


def remove_files(folder: Path, *, newcomers: bool) -> None:
    """Remove what an earlier run of the program left in the folder, and nothing else."""
    prefix = PREFIXES[newcomers]
    for path in sorted(folder.iterdir()):
        if path.name.startswith(prefix) and _OWN_FILE.fullmatch(path.name.removeprefix(prefix)):
            path.unlink()


class Run:
    """The stream of games, handed to every system and to the log."""

    def __init__(
        self, records: Sequence[Record], log: tuple[GameLog, TextIO] | None, tell: Callable[[int], None]
    ) -> None:
        self.records, self.log, self.tell = records, log, tell
        self.people: list[Person] = []
        self.wins: list[int] = []
        self.done = 0
        if log:
            log[1].write(log[0].heading() + "\n")

    def play(self, stretch: Stretch) -> None:
        self.people += stretch.joining
        self.wins += [0] * len(stretch.joining)
        for record in self.records:
            record.table.join([person.strength for person in stretch.joining])
        if self.log:
            self.log[0].join(stretch.joining)
        for piece in pieces(stretch, self.done):
            self._play(piece)

    def _play(self, piece: Piece) -> None:
        for winner in piece.winners():
            self.wins[winner] += 1
        for record in self.records:
            record.play(piece, self.people, self.wins)
        if self.log:
            log, file = self.log
            file.writelines(line + "\n" for line in log.lines(piece.white, piece.black, piece.scores))
        self.done = piece.done
        if self.done % TABLE_EVERY == 0:
            self.tell(self.done)


def write_charts(folder: Path, prefix: str, records: Sequence[Record]) -> list[Path]:
    """A picture a chart and the bitmap of all of them. The paths, in the order of the charts' numbers."""
    keys = [record.contender.key for record in records]
    pictures = [rating_picture(record.fine, record.scale, FINE) for record in records]
    pictures += [rating_picture(record.coarse, record.scale, EVERY) for record in records]
    pictures.append(
        index_picture([record.index for record in records], [record.contender for record in records], EVERY)
    )
    images = [drawn(picture) for picture in pictures]
    paths = [
        save(image, folder / f"{prefix}_chart_{at:02}_{key}.png")
        for at, (image, key) in enumerate(zip(images, [*keys, *keys, "index"], strict=True), 1)
    ]
    return [*paths, save(sheet(images), folder / f"{prefix}_graph_.png")]


def write_indices(folder: Path, prefix: str, records: Sequence[Record]) -> list[Path]:
    """The mean indices as text, the index after every 100 games as CSV. Their paths."""
    text, table = folder / f"{prefix}_index_.txt", folder / f"{prefix}_index_.csv"
    cut, end = FIRST_RANGE // EVERY, SECOND_RANGE // EVERY
    with _opened(text) as file:
        file.write(
            f"Mean disorder index: 1 over games 1 to {FIRST_RANGE}, 2 over games {FIRST_RANGE + 1} to {SECOND_RANGE}\n"
        )
        file.write(f"{'system':<12}{'index 1':>12}{'index 2':>12}{'all games':>12}\n")
        for record in records:
            means = (mean_index(part) for part in (record.index[:cut], record.index[cut:end], record.index))
            file.write(f"{record.contender.key:<12}" + "".join(f"{mean:>12}" for mean in means) + "\n")
    with _opened(table) as file:
        file.write(",".join(["games", *(record.contender.key for record in records)]) + "\n")
        for at, row in enumerate(zip(*(record.index for record in records), strict=True), 1):
            file.write(",".join(f"{value}" for value in (at * EVERY, *row)) + "\n")
    return [text, table]


def mean_index(values: Sequence[int]) -> str:
    """The mean to four places; a dash where no index was taken."""
    return f"{sum(values) / len(values):.4f}" if values else "-"


def _opened(path: Path) -> TextIO:
    # The same bytes on every system.
    return path.open("w", encoding="utf-8", newline="\n")
