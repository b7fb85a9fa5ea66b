"""What the study's findings need beyond its own run: other settings, other worlds, closer looks at the table.

Source: the Russian study of six rating systems, the chapter in which its author sums up. Each function measures one
replication and answers a row: figure by name. Names are "system.figure"; "1", "2" and "all" are the disorder index over
the first tenth of the games, over the rest and over all of them. The same seed and replication play the same games in
every function, so figures of one replication may be subtracted from each other.

Not done: other laws of winning than the study's.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, median
from typing import Any, NamedTuple

from clubrating.ground.marks import marked
from ratings.lab.contenders import STUDY, STUDY_START, Contender, contender, contenders
from ratings.lab.convergence import NewcomerError, newcomer_errors, probation_table
from ratings.lab.engine import Engine
from ratings.lab.measures import Pairs, count_pairs, kendall_tau_b, ordered_pairs, share_in_order
from ratings.lab.table import EVERY, Table, disorder, penalty
from ratings.lab.vectorised import Ints
from ratings.lab.world import NEWCOMERS_EVERY, STRENGTHS, Stretch, stretches

Row = dict[str, float]

LEAGUE, SOLO_ZERG, ELO, GLICKO = STUDY[0], STUDY[1], STUDY[4], STUDY[5]
ELO_K20, FIDE = contenders(["elo-k20", "fide"])
GLICKO_C = contender("glicko-c55", marked("Glicko-1, c = 55.5"), "glicko", {"start": STUDY_START, "c": 55.5})
VARIANTS: tuple[Contender, ...] = (
    contender("solo-zerg-4000", marked("Solo-Zerg 4000"), "solo-zerg", {"normalise_above": 4000}),
    contender("solo-zerg-5000", marked("Solo-Zerg 5000"), "solo-zerg", {"normalise_above": 5000}),
    contender("r2-4000", marked("R2 4000"), "r2", {"normalise_above": 4000}),
    contender("r2-5000", marked("R2 5000"), "r2", {"normalise_above": 5000}),
    contender("league-0", marked("League + 0"), "league", {"inflation": 0}),
    contender("kd-1", marked("KD 1"), "kd", {"stake": 1}),
    contender("kd-4", marked("KD 4"), "kd", {"stake": 4}),
    contender("kd-8", marked("KD 8"), "kd", {"stake": 8}),
    ELO_K20,
    GLICKO_C,
)
# Elo with everybody starting two strengths lower or higher; its K changes at 1000 all the same.
MOVED_STARTS: tuple[Contender, ...] = (
    contender("elo-760", marked("Elo, start 760"), "elo", {"preset": "study", "start": 760}),
    contender("elo-1240", marked("Elo, start 1240"), "elo", {"preset": "study", "start": 1240}),
)
# As many steps as in the study, from its weakest to its strongest, but equal ones: no strength is twice another's.
EQUAL_STEPS = (10.0, 115.0, 220.0, 325.0, 430.0, 535.0, 640.0)
PROBATION = (10, 20, 30, 40, 60)  # own games
RIGHT = 0.9  # of all pairs: the table is called sorted
NEAR = 25.0  # points on either side of a system's start
LONG = (2, 5)  # times the games of the study
TOP = 10  # places


def indices(index: Sequence[int]) -> tuple[float, float, float]:
    """Index 1, index 2 and that of all games, of the looks at one table. Raises ValueError for fewer than ten."""
    first = len(index) // 10
    if not first:
        raise ValueError("The two indices need ten looks at the table: 1000 games.")
    return fmean(index[:first]), fmean(index[first:]), fmean(index)


def study_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """The study itself, the six systems and the variants on one stream."""
    row: Row = {}
    for stretch in stretches(games, seed, replication, engine):
        for each in (*STUDY, *VARIANTS):
            table = _table(each, stretch, engine)
            found = indices(table.play(stretch.white, stretch.black, stretch.scores))
            row |= {f"{each.key}.{name}": value for name, value in zip(("1", "2", "all"), found, strict=True)}
            row[f"{each.key}.normalised"] = float(table.normalised)
    return row


def long_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """Streams of twice and five times the games: the index after the study's end, and after twice its length."""
    two, five = (games * times // EVERY for times in LONG)
    row: Row = {}
    for stretch in stretches(games * LONG[-1], seed, replication, engine):
        for each in STUDY:
            index = _table(each, stretch, engine).play(stretch.white, stretch.black, stretch.scores)
            row[f"{each.key}.x2"] = fmean(index[games // EVERY : two])
            row[f"{each.key}.x5"] = fmean(index[two:five])
    return row


def newcomers_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """The variant with a group of newcomers after every 22,000 games: the indices, and how far off Elo's
    newcomers are after so many own games, with the study's K and with FIDE's, as a multiple of the others' error."""
    found = list(stretches(games, seed, replication, engine, newcomers=True))
    row: Row = {}
    for each in STUDY:
        table, index = Table(each, engine, ()), list[int]()
        for stretch in found:
            table.join([person.strength for person in stretch.joining])
            index += table.play(stretch.white, stretch.black, stretch.scores)
        row |= {f"{each.key}.new-{name}": value for name, value in zip("12", indices(index)[:2], strict=True)}
    for each in (ELO, FIDE):
        row |= _named(each, probation(each, found, engine))
    return row


def probation(each: Contender, found: Sequence[Stretch], engine: Engine) -> Row:
    """Of the newcomers who came to `PROBATION[-1]` own games before the next group: their error over that of the
    established after each number of own games. Empty where nobody joined."""
    table, errors, known = _table(each, found[0], engine), list[NewcomerError](), len(found[0].joining)
    table.play(found[0].white, found[0].black, found[0].scores)
    for stretch in found[1:]:
        table.join([person.strength for person in stretch.joining])
        places = range(known, known + len(stretch.joining))
        errors += newcomer_errors(
            table, stretch.white, stretch.black, stretch.scores, places, elo_scale=True, after=PROBATION
        )
        known += len(stretch.joining)
    rows = probation_table(errors, PROBATION)
    return {f"probation-{row.own_games}": row.ratio for row in rows if row.ratio is not None}


def steps_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """Elo and Glicko in the study's world and in one of equal steps between strengths: share of pairs in the right
    order after a tenth of the games, and games until nine of ten are."""
    row: Row = {}
    for world, strengths in (("", STRENGTHS), ("equal-", EQUAL_STEPS)):
        for stretch in stretches(games, seed, replication, engine, strengths=strengths):
            for each in (ELO, GLICKO):
                shares = [
                    (look.games, ordered_pairs(look.ratings, look.strengths))
                    for look in looks(each, stretch, engine, games // 100)
                ]
                sorted_after = next((done for done, share in shares if share >= RIGHT), games)
                row[f"{each.key}.{world}pairs"] = shares[len(shares) // 10 - 1][1]
                row[f"{each.key}.{world}sorted"] = float(sorted_after)
    return row


class Look(NamedTuple):
    """A table after so many games: everybody's rating and strength by place, the places best first."""

    games: int
    ratings: list[float]
    strengths: list[float]
    order: list[int]


def looks(each: Contender, stretch: Stretch, engine: Engine, every: int) -> Iterator[Look]:
    """The table of one system after every `every` games of a stretch that is the first."""
    table = _table(each, stretch, engine)
    strengths = table.strengths
    for done in range(every, len(stretch.white) + 1, every):
        part = slice(done - every, done)
        table.play(stretch.white[part], stretch.black[part], stretch.scores[part], every)
        yield Look(done, table.ratings, strengths, table.order)


def looks_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """Closer looks at the study's run: ties by other rules, penalties lowered by one, dark red neighbours, ratings
    around the start, and how far a game moves a rating."""
    row: Row = {}
    for stretch in stretches(games, seed, replication, engine):
        for each in (*STUDY, GLICKO_C):
            row |= _named(each, ties_and_colours(each, stretch, engine))
        for each in (ELO, ELO_K20):
            row |= _named(each, around_the_start(each, stretch, engine))
        for each in (ELO, GLICKO):
            row |= _named(each, typical_steps(each, stretch, engine))
    return row


def ties_and_colours(each: Contender, stretch: Stretch, engine: Engine) -> Row:
    """Both indices where equal ratings stand in the order of creation, the stronger first, or the weaker first; both
    with all penalties lowered by one, so that dark green is free; and the share of dark red neighbours in the second
    range."""
    count: Callable[[Any, Any], int] = engine.compile(disorder)
    paid: Callable[[Any, Any], tuple[int, int]] = engine.compile(paid_pairs)
    index: dict[str, list[int]] = {name: [] for name in ("creation", "kind", "unkind", "lowered", "red")}
    for look in looks(each, stretch, engine, EVERY):
        ratings, strengths = look.ratings, engine.column(look.strengths, float)
        ranked = sorted(range(len(ratings)), key=lambda place: -ratings[place])
        kind = sorted(ranked, key=lambda place: (-ratings[place], -look.strengths[place]))
        unkind = sorted(ranked, key=lambda place: (-ratings[place], look.strengths[place]))
        for name, order in (("creation", ranked), ("kind", kind), ("unkind", unkind)):
            index[name].append(int(count(engine.column(order, int), strengths)))
        order = engine.column(look.order, int)
        pairs, red = paid(order, strengths)
        index["lowered"].append(int(count(order, strengths)) - pairs)
        index["red"].append(red)
    row = {"red": indices(index.pop("red"))[1] / (len(stretch.joining) - 1)}
    for name, values in index.items():
        row[f"{name}-1"], row[f"{name}-2"], _ = indices(values)
    return row


def paid_pairs(order: Ints, strengths: Sequence[float]) -> tuple[int, int]:
    """How many neighbours cost anything, and how many are dark red."""
    paid = red = 0
    for at in range(1, len(order)):
        cost = penalty(strengths[order[at - 1]], strengths[order[at]])
        paid += cost > 0
        red += cost == 3
    return paid, red


def around_the_start(each: Contender, stretch: Stretch, engine: Engine) -> Row:
    """The crowd around the study's start value in a table of its own."""
    return crowd(list(looks(each, stretch, engine, len(stretch.white) // 100)), STUDY_START)


def crowd(looked: Sequence[Look], start: float) -> Row:
    """Ratings near the start value after the first tenth, counted ninety times in a hundred looks at one table. `gap`:
    players within 25 points of it over players 25 to 75 points from it (strips of equal width). `step`: players of the
    50 points below it over those of the 50 above. A level crowd has 1 in both."""
    near = beside = below = above = 0
    for look in looked[len(looked) // 10 :]:
        offs = [rating - start for rating in look.ratings]
        near += sum(abs(off) <= NEAR for off in offs)
        beside += sum(NEAR < abs(off) <= 3 * NEAR for off in offs)
        below += sum(-2 * NEAR <= off < 0.0 for off in offs)
        above += sum(0.0 <= off < 2 * NEAR for off in offs)
    return {"gap": 2 * near / max(1, beside), "step": below / max(1, above)}


def typical_steps(each: Contender, stretch: Stretch, engine: Engine) -> Row:
    """The median of what a game moves a rating by, in points, within a hundredth of the stream: the one after 5 % of
    the games, after 15 %, and the last one."""
    table, games = _table(each, stretch, engine), len(stretch.white)
    _, white_after, black_after = table.trace(stretch.white, stretch.black, stretch.scores)
    ratings, moved = dict.fromkeys(range(len(stretch.joining)), table.rater.start[0]), list[float]()
    for one, two, white, black in zip(stretch.white, stretch.black, white_after, black_after, strict=True):
        moved += (abs(white - ratings[one]), abs(black - ratings[two]))
        ratings[one], ratings[two] = white, black
    width = games // 100
    begins = {"moves-5": games // 20, "moves-15": games * 3 // 20, "moves-last": games - width}
    return {name: median(moved[2 * begin : 2 * (begin + width)]) for name, begin in begins.items()}


# --- claims the author makes in passing ------------------------------------------------------------------------------
def starts_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """Elo with another start value: the crowd around that value ("own-…"), and around 1000, where K changes."""
    row: Row = {}
    for stretch in stretches(games, seed, replication, engine):
        for each in MOVED_STARTS:
            looked = list(looks(each, stretch, engine, games // 100))
            row |= _named(each, {f"own-{name}": value for name, value in crowd(looked, each.settings.start).items()})
            row |= _named(each, crowd(looked, STUDY_START))
    return row


def top_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """How well the first ten places are sorted, and all others, by `of_the_top`; means over ninety looks after the
    first tenth of the games."""
    row: Row = {}
    for stretch in stretches(games, seed, replication, engine):
        for each in (SOLO_ZERG, ELO):
            found = [of_the_top(look) for look in looks(each, stretch, engine, games // 100)]
            late = found[len(found) // 10 :]
            row |= _named(each, {name: fmean(one[name] for one in late) for name in late[0]})
    return row


def of_the_top(look: Look) -> Row:
    """Of a table: the share of pairs in the right order, of those with one of the first ten ("top-pairs") and of those
    among all others ("rest-pairs"), equal ratings counting half; and what a pair of neighbours costs, of the first ten
    pairs ("top-cost") and of all others ("rest-cost")."""
    ratings, strengths = ([column[place] for place in look.order] for column in (look.ratings, look.strengths))
    rest = count_pairs(ratings[TOP:], strengths[TOP:])
    top = [one - other for one, other in zip(count_pairs(ratings, strengths), rest, strict=True)]
    costs = [penalty(upper, lower) for upper, lower in itertools.pairwise(strengths)]
    return {
        "top-pairs": share_in_order(Pairs(*top)),
        "rest-pairs": share_in_order(rest),
        "top-cost": fmean(costs[:TOP]),
        "rest-cost": fmean(costs[TOP:]),
    }


def fresh_row(games: int, seed: int, replication: int, engine: Engine) -> Row:
    """League and Elo on the study's stream and on the variant's ("fresh-…"): what a pair of neighbours costs after the
    first newcomers have come ("cost"), `diligence` at the end, and how many times the cost without newcomers theirs is
    ("worse"). Empty where nobody joins."""
    if games <= NEWCOMERS_EVERY:
        return {}
    row: Row = {}
    for name, newcomers in (("", False), ("fresh-", True)):
        found = list(stretches(games, seed, replication, engine, newcomers=newcomers))
        for each in (LEAGUE, ELO):
            table, costs = Table(each, engine, ()), list[float]()
            for stretch in found:
                table.join([person.strength for person in stretch.joining])
                pairs = len(table.strengths) - 1
                costs += [look / pairs for look in table.play(stretch.white, stretch.black, stretch.scores)]
            row[f"{each.key}.{name}cost"] = fmean(costs[NEWCOMERS_EVERY // EVERY :])
            row[f"{each.key}.{name}diligence"] = diligence(table.ratings, table.games, table.strengths)
    return row | {
        f"{each.key}.worse": row[f"{each.key}.fresh-cost"] / row[f"{each.key}.cost"] for each in (LEAGUE, ELO)
    }


def diligence(ratings: Sequence[float], games: Sequence[int], strengths: Sequence[float]) -> float:
    """How far ratings go with the number of games among equals: Kendall's τ-b within each strength, the mean of all
    strengths. 0: playing more brings nothing."""
    found = []
    for strength in sorted(set(strengths)):
        places = [place for place, own in enumerate(strengths) if own == strength]
        found.append(kendall_tau_b([ratings[place] for place in places], [games[place] for place in places]))
    return fmean(found)


def _table(each: Contender, stretch: Stretch, engine: Engine) -> Table:
    return Table(each, engine, [person.strength for person in stretch.joining])


def _named(each: Contender, figures: Row) -> Row:
    return {f"{each.key}.{name}": value for name, value in figures.items()}
