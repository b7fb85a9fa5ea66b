"""What the study's author claims, each claim with the figures that decide about it.

Source: the Russian study of six rating systems, the chapter in which its author sums up; the last two claims are ours,
about readings where the study is silent. Whether a claim holds is decided by the figures (`ratings.lab.rules`), never
written here: what stands in `because` is shown only beside the verdict the figures give. Not done: his wish that a
rating should measure strength and not only place people, which is no claim about figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from clubrating.ground.marks import marked
from ratings.lab.rules import Part, Verdict, about, about_times, below, ratio, value

FIVE_BUT_ELO = "league solo-zerg r2 kd"


@dataclass(frozen=True, slots=True)
class Claim:
    """`says`: the claim in a sentence; `parts`: what decides; `because`: why it is not so, by verdict."""

    key: str
    says: str
    parts: tuple[Part, ...]
    because: Mapping[Verdict, str] = field(default_factory=dict)


def order(figure: str) -> tuple[Part, ...]:
    """The study's order of systems in the long run: Glicko, Elo, KD, League, then Solo-Zerg and R2."""
    return (
        below(figure, "glicko", "elo"),
        below(figure, "elo", "kd"),
        below(figure, "kd", "league"),
        below(figure, "league", "solo-zerg r2"),
    )


# What is measured, in words: the figure's name in the rows, or both names of a ratio of two -> words.
FIGURES: Mapping[str, str] = {
    "1": marked("index, games 1 to 10,000"),
    "2": marked("index, games 10,001 to 100,000"),
    "all": marked("index, all 100,000 games"),
    "normalised": marked("how often all ratings were scaled down"),
    "x2": marked("index, games 100,001 to 200,000"),
    "x5": marked("index, games 200,001 to 500,000"),
    "new-1": marked("index with newcomers, games 1 to 10,000"),
    "new-2": marked("index with newcomers, games 10,001 to 100,000"),
    "probation-10": marked("newcomer’s error after 10 own games, as a multiple of the others’"),
    "probation-30": marked("newcomer’s error after 30 own games, as a multiple of the others’"),
    "probation-60": marked("newcomer’s error after 60 own games, as a multiple of the others’"),
    "equal-pairs": marked("share of pairs in the right order after 10,000 games, equal steps against doublings"),
    "equal-sorted": marked("games until 90 % of the pairs are in the right order, equal steps against doublings"),
    "gap": marked("players within 25 points of 1000, against the strips beside"),
    "step": marked("players just below 1000, against just above"),
    "own-step": marked("players just below their start value, against just above"),
    "own-step/step": marked("the step at the start value, as a multiple of that at 1000"),
    "own-gap": marked("players within 25 points of their start value, against the strips beside"),
    "moves-5": marked("what a game moves, after 5,000 games, in points"),
    "moves-15": marked("what a game moves, after 15,000 games, in points"),
    "moves-last": marked("what a game moves, at the end, in points"),
    "top-pairs": marked("pairs with one of the first ten, share in the right order"),
    "rest-pairs": marked("pairs among all others, share in the right order"),
    "top-cost/rest-cost": marked("index points of a pair of neighbours, the first ten against the rest"),
    "diligence": marked("rank correlation of rating and number of games among equals"),
    "fresh-diligence": marked("rank correlation of rating and number of games among equals, with newcomers"),
    "fresh-diligence/diligence": marked("that correlation with newcomers, as a multiple of that without"),
    "fresh-cost/cost": marked("index points of a pair of neighbours, with newcomers against without"),
    "worse": marked("index points of a pair of neighbours with newcomers, as a multiple of those without"),
    "red": marked("share of dark red neighbours"),
    "creation-2": marked("index if equals stand by age in the list, games 10,001 to 100,000"),
    "kind-1": marked("index if of equals the stronger stands first, games 1 to 10,000"),
    "kind-2": marked("index if of equals the stronger stands first, games 10,001 to 100,000"),
    "lowered-1": marked("index with penalties one lower, games 1 to 10,000"),
    "lowered-2": marked("index with penalties one lower, games 10,001 to 100,000"),
}


def figure_name(part: Part) -> str:
    """Under which name `FIGURES` has the words of a part."""
    both = f"{part.figure}/{part.right_figure}"
    return both if both in FIGURES else part.figure


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "elo-best",
        marked("Of the five in competition, Elo is the best, in the short run and in the long run."),
        (below("1", "elo", FIVE_BUT_ELO), below("2", "elo", FIVE_BUT_ELO)),
    ),
    Claim(
        "glicko",
        marked("Glicko, out of competition, has about a quarter of Elo’s disorder and about a tenth of League’s."),
        (
            below("1", "glicko", f"elo {FIVE_BUT_ELO}"),
            below("2", "glicko", f"elo {FIVE_BUT_ELO}"),
            about_times("2", "elo", "glicko", 4.0),
            about_times("2", "league", "glicko", 10.0),
            ratio("1", "elo", "glicko"),
            ratio("1", "league", "glicko"),
        ),
        {
            Verdict.PARTLY: marked(
                "Glicko is far ahead, but the ratios swing: by the end it makes almost no mistake, so a few neighbours"
                " more or less move them a lot."
            )
        },
    ),
    Claim(
        "league",
        marked("Without Glicko, League is second in the short run and third in the long run."),
        (
            below("1", "elo", "league"),
            below("1", "league", "solo-zerg r2 kd"),
            below("2", "elo kd", "league"),
            below("2", "league", "solo-zerg r2"),
        ),
    ),
    Claim(
        "kd",
        marked("Without Glicko, KD is second over all games together."),
        (below("all", "elo", "kd"), below("all", "kd", "league solo-zerg r2"), ratio("1", "kd", "league")),
    ),
    Claim(
        "solo-zerg",
        marked("Solo-Zerg is worse than League."),
        (below("1", "league", "solo-zerg"), below("2", "league", "solo-zerg")),
    ),
    Claim(
        "worst",
        marked("Solo-Zerg and R2 are the worst in the long run."),
        (*order("2")[-1:], below("2", "kd elo", "solo-zerg r2")),
    ),
    Claim(
        "clone",
        marked(
            "R2 is a clone of Solo-Zerg; its coefficient raises the bonuses, so it scales ratings down far more often."
        ),
        (
            about_times("1", "r2", "solo-zerg", 1.0),
            about_times("2", "r2", "solo-zerg", 1.0),
            ratio("normalised", "r2", "solo-zerg", low=2.0),
            value("normalised", "r2"),
            value("normalised", "solo-zerg"),
        ),
    ),
    Claim(
        "threshold",
        marked(
            "With a limit of 4000 to 5000 in place of 3000, Solo-Zerg and R2 come to an index of about 60,"
            " below League’s."
        ),
        tuple(
            part
            for key in ("solo-zerg-4000", "solo-zerg-5000", "r2-4000", "r2-5000")
            for part in (about("2", key, 60.0), below("2", key, "league"))
        ),
        {
            Verdict.PARTLY: marked(
                "A higher limit does help, because ratings are scaled down more rarely and fewer players pile up at the"
                " floor. But 4000 is not enough to pass League, and even 5000 stays above 60."
            )
        },
    ),
    Claim(
        "inflation",
        marked("Taking away League’s ten extra points for the winner changes nothing."),
        (ratio("1", "league-0", "league", 0.95, 1.05), ratio("2", "league-0", "league", 0.95, 1.05)),
        {
            Verdict.FAILS: marked(
                "It changes a lot, and for the better. The ten points are paid for every win whoever lost, so those who"
                " play more climb above equals who play less: the table then ranks diligence beside strength."
            )
        },
    ),
    Claim(
        "split",
        marked("Elo’s table splits around the start value of 1000."),
        (
            value("gap", "elo", high=0.8),
            value("step", "elo", high=0.8),
            below("step", "elo", "elo-k20"),
            value("step", "elo-k20"),
        ),
        {
            Verdict.PARTLY: marked(
                "There is no empty strip at 1000, but a step: the crowd is thinner just below than just above. It comes"
                " from K, which falls from 25 to 15 there; with one K for all, the step is gone."
            )
        },
    ),
    Claim(
        "split-moves",
        marked("Moving the start value moves Elo’s split."),
        tuple(
            part
            for key in ("elo-760", "elo-1240")
            for part in (
                value("own-step", key, high=0.8),
                value("step", key, low=0.8),
                ratio("own-step", key, key, high=1.0, right_figure="step"),
                value("own-gap", key),
            )
        ),
        {
            Verdict.FAILS: marked(
                "Wherever everybody starts, the step stays at 1000: there K falls from 25 to 15. At the moved start"
                " value there is none."
            )
        },
    ),
    Claim(
        "top-ten",
        marked("Solo-Zerg still sorts the top ten, while the rest is mush."),
        (
            value("top-pairs", "solo-zerg", low=0.9),
            value("rest-pairs", "solo-zerg", high=0.75),
            ratio("top-cost", "solo-zerg", "solo-zerg", high=0.5, right_figure="rest-cost"),
            value("top-pairs", "elo"),
            value("rest-pairs", "elo"),
        ),
        {
            Verdict.PARTLY: marked(
                "The first ten places are sorted much better than the rest. But the rest is not mush: its pairs are"
                " more than half-way from chance to the right order."
            )
        },
    ),
    Claim(
        "fresh-blood",
        marked("League rewards whoever plays more, and newcomers make it worse."),
        (
            ratio("fresh-diligence", "league", "league", low=1.05, right_figure="diligence"),
            ratio("fresh-cost", "league", "league", low=1.05, right_figure="cost"),
            below("worse", "elo", "league"),
            value("diligence", "league"),
            value("fresh-diligence", "elo"),
        ),
        {
            Verdict.PARTLY: marked(
                "League does reward whoever plays more, with newcomers and without. Newcomers make its table worse, but"
                " Elo’s suffers more from them, and rating and number of games go together less than before."
            )
        },
    ),
    Claim(
        "fractions",
        marked("From 5,000 to 15,000 games on, Glicko plays for fractions of a point."),
        (
            value("moves-5", "glicko", high=1.0),
            value("moves-15", "glicko", high=1.0),
            value("moves-last", "glicko", high=1.0),
            value("moves-15", "elo"),
        ),
        {
            Verdict.PARTLY: marked(
                "After 5,000 games half of all changes are still above a point; after 15,000 they are below it, and"
                " they go on shrinking, since without c the deviation never grows again."
            )
        },
    ),
    Claim(
        "glicko-c",
        marked("With c = 55.5, Glicko turns into a dark red snake."),
        (
            below("2", "elo kd league", "glicko-c55"),
            ratio("red", "glicko-c55", "elo", low=2.0),
            below("red", "league", "glicko-c55"),
            value("red", "glicko-c55"),
        ),
        {
            Verdict.PARTLY: marked(
                "Disorder is many times Elo’s, since the deviation stays high and every game moves dozens of points."
                " But dark red is not what marks it: League’s table has as much of it or more."
            )
        },
    ),
    Claim(
        "stake",
        marked("Another base stake is no real gain for KD."),
        (*tuple(ratio("all", key, "kd", low=0.9) for key in ("kd-1", "kd-4", "kd-8")), ratio("2", "kd-1", "kd")),
    ),
    Claim(
        "longer",
        marked("200,000 and 500,000 games show the same picture."),
        order("x2") + order("x5"),
    ),
    Claim(
        "newcomers",
        marked("With newcomers joining, all conclusions stand."),
        (*order("new-2"), below("new-1", "elo", FIVE_BUT_ELO), below("new-1", "league", "solo-zerg r2 kd")),
    ),
    Claim(
        "steps",
        marked("Where strengths are not doublings of each other, sorting takes longer."),
        (
            ratio("equal-pairs", "elo", "elo", high=1.0, right_figure="pairs"),
            ratio("equal-sorted", "elo", "elo", low=1.0, right_figure="sorted"),
            ratio("equal-sorted", "glicko", "glicko", low=1.0, right_figure="sorted"),
        ),
    ),
    Claim(
        "verdicts",
        marked(
            "Elo is fit, the clear leader; KD is mediocre; League, Solo-Zerg and R2 are unfit; Glicko is promising but"
            " unfit as it is."
        ),
        (
            below("2", "elo", FIVE_BUT_ELO),
            ratio("2", "kd", "elo", 1.0, 2.0),
            ratio("2", "league", "elo", low=2.0),
            ratio("2", "solo-zerg", "elo", low=2.0),
            ratio("2", "r2", "elo", low=2.0),
            below("2", "glicko", "elo"),
            value("moves-last", "glicko", high=1.0),
            below("2", "elo", "glicko-c55"),
        ),
    ),
    Claim(
        "probation",
        marked("Thirty games are the right probation for a newcomer."),
        (
            value("probation-30", "elo", high=1.25),
            value("probation-30", "fide", high=1.25),
            value("probation-10", "fide"),
            value("probation-60", "elo"),
            value("probation-60", "fide"),
        ),
        {
            Verdict.FAILS: marked(
                "After thirty games a newcomer is still off by much more than the others, with the study’s K and"
                " with FIDE’s higher one for newcomers. Whoever is far from 1000 has a long way to go in small steps."
                " Sixty games are nearer to what is needed."
            ),
            Verdict.PARTLY: marked(
                "It depends on K. With the study’s K a newcomer is still off by much more than the others after thirty"
                " games; with FIDE’s K of 40 for newcomers the error is about that of the others."
            ),
        },
    ),
    Claim(
        "ties",
        marked(
            "Our reading: where the study does not say how equals stand, another rule moves no index by"
            " more than a twentieth."
        ),
        (
            *tuple(
                ratio("kind-2", key, key, 0.95, 1.05, right_figure="2")
                for key in ("league", "solo-zerg", "r2", "kd", "elo", "glicko")
            ),
            ratio("creation-2", "solo-zerg", "solo-zerg", 0.95, 1.05, right_figure="2"),
            *order("kind-2")[2:],
            below("kind-1", "league", "solo-zerg"),
        ),
        {
            Verdict.PARTLY: marked(
                "For four systems it does not matter. In Solo-Zerg and R2 a crowd stands at the floor of 1000 with"
                " equal ratings, so their indices depend on the rule; in the long run their places do not."
            )
        },
    ),
    Claim(
        "penalties",
        marked("Our check: with all penalties one lower, so that dark green is free, the order of the systems stays."),
        (*order("lowered-2"), below("lowered-1", "elo", FIVE_BUT_ELO), below("lowered-1", "league", "solo-zerg r2 kd")),
    ),
)
