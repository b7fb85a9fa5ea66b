"""The field's words and the site's own, one sentence each: what the glossary page says in every language, beside the
English term. A term's anchor is its key and stays; tie-breaks come from their registry, with their codes as anchors.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks import TIEBREAKS


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means; both are shown translated, the word in English beside it. `code`: what stands for it
    in tables."""

    key: str
    word: str
    meaning: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Terms of one kind, under their heading."""

    key: str
    title: str
    terms: tuple[Term, ...]


RATINGS = (
    Term(
        "rating",
        marked("Rating"),
        marked("A number for playing strength, from the results against others who have one; only differences count."),
    ),
    Term(
        "rating-list",
        marked("Rating list"),
        marked("Everybody’s ratings from one kind of games, by one rating system with its settings."),
    ),
    Term("pool", marked("Pool"), marked("The kind of games a list rates: standard, rapid, blitz or another.")),
    Term(
        "rating-system",
        marked("Rating system"),
        marked("The rule by which results become ratings: Elo, Glicko and others."),
    ),
    Term(
        "expected-score",
        marked("Expected score"),
        marked(
            "How many points somebody makes on average against an opponent, read off the difference of the ratings."
        ),
    ),
    Term(
        "k-factor",
        marked("K factor"),
        marked("By how many points a rating would change if a game brought one point more than expected."),
        "K",
    ),
    Term(
        "rating-change",
        marked("Rating change"),
        marked("What a game adds to a rating or takes from it: the score less the expected score, times K."),
    ),
    Term(
        "probation",
        marked("On probation"),
        marked(
            "A newcomer’s rating is a first guess, marked with a question mark, and takes no place in the list yet."
        ),
        "?",
    ),
    Term(
        "established",
        marked("Established"),
        marked("A rating after the probation: it rests on enough games and has a place in the list."),
    ),
    Term(
        "deviation",
        marked("Deviation"),
        marked("How uncertain a rating is: with two chances in three the strength lies no farther off than that."),
        "RD",
    ),
    Term(
        "volatility",
        marked("Volatility"),
        marked("How much a player’s strength seems to move from one period to the next."),
    ),
    Term(
        "performance",
        marked("Performance"),
        marked("The rating that the results of one event speak of, whatever the player’s own rating is."),
    ),
    Term("peak", marked("Peak"), marked("The highest rating a player ever had in a list, probation left out.")),
    Term(
        "starting-rating",
        marked("Starting rating"),
        marked("A rating a player brings along on coming into a list, and from which day."),
    ),
    Term("tier", marked("Tier"), marked("A part of the list between two ratings, with a name.")),
    Term(
        "published-list",
        marked("Published list"),
        marked("The list as it stood on one day; it is kept as it was, also after corrections."),
    ),
    Term(
        "correction",
        marked("Correction"),
        marked("A result put right later: every game from that one on is rated again."),
    ),
)

GAMES = (
    Term("game", marked("Game"), marked("One game between White and Black, with its result.")),
    Term(
        "result",
        marked("Result"),
        marked("White’s points first: 1–0, ½–½ or 0–1; a plus or minus sign for a game not played."),
    ),
    Term("points", marked("Points"), marked("What results add up to, as a rule 1 for a win and ½ for a draw.")),
    Term(
        "forfeit",
        marked("Forfeit"),
        marked(
            "A game decided without playing because somebody did not come; it counts in the event and is never rated."
        ),
        "+ −",
    ),
    Term("bye", marked("Bye"), marked("A round without an opponent.")),
    Term(
        "allocated-bye",
        marked("Pairing-allocated bye"),
        marked("The bye of whoever is left over where the number of players is odd; as a rule it brings a point."),
    ),
    Term("full-point-bye", marked("Full-point bye"), marked("A round not played that the arbiter counts as a win.")),
    Term("half-point-bye", marked("Half-point bye"), marked("A round asked off beforehand that brings half a point.")),
    Term("zero-point-bye", marked("Zero-point bye"), marked("A round not played that brings nothing.")),
    Term("match", marked("Match"), marked("Two players meet in one or more games, and one of them goes on.")),
    Term(
        "armageddon",
        marked("Armageddon"),
        marked("A last game with more time for White, in which a draw is enough for Black."),
    ),
)

ROUNDS = (
    Term("round", marked("Round"), marked("The games of an event that are played at the same time.")),
    Term("board", marked("Board"), marked("The place of one pairing in a round, numbered from the top.")),
    Term("pairing", marked("Pairing"), marked("Who meets whom in a round, and with which colour.")),
    Term("entry", marked("Entry"), marked("A player’s place in an event, with a number for its pairings.")),
    Term("seed", marked("Seed"), marked("The place in the order of strength before the first round.")),
    Term("withdrawn", marked("Withdrawn"), marked("Has left the event and is not paired any more.")),
    Term("score-group", marked("Score group"), marked("All those who have the same points before a round.")),
    Term(
        "float",
        marked("Float"),
        marked("A game against somebody of another score group: down against less points, up against more."),
    ),
    Term(
        "colour-preference",
        marked("Colour preference"),
        marked("The colour a player is due by those had so far, so that both come in turn and equally often."),
    ),
    Term(
        "acceleration",
        marked("Acceleration"),
        marked(
            "Extra points for the upper half in the first rounds, for pairing only, so that the strong meet sooner."
        ),
    ),
)

FORMATS = (
    Term("round-robin", marked("Round robin"), marked("Everybody meets everybody, once or twice.")),
    Term("swiss", marked("Swiss"), marked("Fixed rounds in which those with equal points meet, and nobody twice.")),
    Term("knockout", marked("Knockout"), marked("Whoever loses a match is out.")),
    Term("bracket", marked("Bracket"), marked("The plan of a knockout: whose winner meets whose, up to the final.")),
    Term(
        "double-elimination",
        marked("Double elimination"),
        marked("Whoever loses goes on in the losers’ bracket; whoever loses there is out."),
    ),
    Term(
        "groups",
        marked("Groups"),
        marked("Several small round robins side by side; the first of each go on to a knockout."),
    ),
    Term("station", marked("Station"), marked("One of several knockouts within an event, each with its own winner.")),
    Term(
        "scheveningen", marked("Scheveningen"), marked("Two teams; everybody of the one meets everybody of the other.")
    ),
    Term(
        "keizer",
        marked("Keizer"),
        marked("A season in which a win is worth as much as the opponent’s place in the list."),
    ),
    Term("ladder", marked("Ladder"), marked("Whoever beats somebody further up takes the place.")),
    Term("free-play", marked("Free play"), marked("Games without pairings, entered as they are played.")),
)

STANDINGS = (
    Term(
        "standings", marked("Standings"), marked("The order of an event after a round: by points, then by tie-breaks.")
    ),
    Term(
        "crosstable",
        marked("Crosstable"),
        marked("All results of an event at one look, a row and a column for everybody."),
    ),
    Term("place", marked("Place"), marked("The number in the standings; those who are equal in everything share one.")),
    Term("tie-break", marked("Tie-break"), marked("A figure that puts those with equal points in order.")),
    Term(
        "cut",
        marked("Cut"),
        marked("The lowest value is left out of a sum; with a median also the highest."),
        "/C1 /M1",
    ),
)


def chapters() -> Iterator[Chapter]:
    """The glossary in its order."""
    yield Chapter("ratings", marked("Ratings"), RATINGS)
    yield Chapter("games", marked("Games and results"), GAMES)
    yield Chapter("rounds", marked("Rounds and pairings"), ROUNDS)
    yield Chapter("formats", marked("Formats"), FORMATS)
    yield Chapter("standings", marked("Standings"), STANDINGS)
    tiebreaks = tuple(Term(rule.base, rule.name, rule.rule, rule.base) for rule in TIEBREAKS)
    yield Chapter("tie-breaks", marked("Tie-breaks and their codes"), tiebreaks)
