"""The FIDE (Dutch) System as a pairing system: its settings, and the functions behind it.

Baku acceleration (`baku`, pure): virtual points that let the upper half of the list meet in the first rounds. The first
half of the list, rounded up to an even number, is group A. In the first half of the rounds, rounded up, its players
have virtual points: those of a win in the first half of these rounds, rounded up, then those of a draw. They count for
the pairing alone. Who enters later belongs to the group of the numbers around his. Source: FIDE C.04.7. Where a draw is
not worth half a win the rule says nothing; a draw's points are taken.

Two games against each opponent: every second round is the return game, the same boards with colours exchanged. The
FIDE rules know no such event. The rounds between are paired by them with a match for a game: points of all games,
colours of first games, floats of matches, and under Baku acceleration virtual points of both games.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, Field, Option, PairedRound, PairingError, Remark, read_options
from tournaments.pairing.dutch.competitor import Competitor, competitors_of
from tournaments.pairing.dutch.legal import Legal
from tournaments.pairing.dutch.pairing import boards_of, pair_players
from tournaments.pairing.dutch.why import Question, why, why_not
from tournaments.standings.points import PointSystem

# --- the system ---------------------------------------------------------------------------------------------------
WHITE, BLACK = "white", "black"
NO_ACCELERATION, BAKU = "none", "baku"


class Dutch:
    """Settings: `rounds` of the whole event; `first_colour` of number 1 in round 1; `acceleration`; `games` against
    each opponent."""

    key = "dutch"
    name = marked("Swiss (FIDE Dutch)")
    allocated_bye_scores = True
    min_players = 2
    max_players = 500
    options: tuple[Option, ...] = (
        Option("rounds", marked("Rounds"), 5, lowest=1, highest=30),
        Option(
            "first_colour",
            marked("Number 1 begins with"),
            WHITE,
            choices=((WHITE, marked("White")), (BLACK, marked("Black"))),
        ),
        Option(
            "acceleration",
            marked("Acceleration"),
            NO_ACCELERATION,
            choices=((NO_ACCELERATION, marked("none")), (BAKU, marked("Baku (FIDE C.04.7)"))),
            help=marked(
                "Baku: the upper half of the list is paired with extra points in the first half of the rounds."
            ),
        ),
        Option(
            "games",
            marked("Against each opponent"),
            1,
            choices=((1, marked("one game")), (2, marked("two games, a round each"))),
            help=marked("Two: every second round is the return game, the same boards with colours exchanged."),
        ),
    )

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        """The boards in the order in which they are published, the bye last."""
        if is_return(settings, field.round):
            return return_games(field)
        question = self._question(field, settings)
        return boards_of(question.made, first_white=question.first_white)

    def _question(self, field: Field, settings: Mapping[str, Any]) -> Question:
        chosen = read_options(self.options, settings)
        players = self.competitors(field, chosen)
        legal = Legal(players, field.prohibited)
        made = pair_players(players, legal, field.edition, field.points.unit)
        return Question(field, players, legal, made, chosen["first_colour"] == WHITE)

    def competitors(self, field: Field, chosen: Mapping[str, Any]) -> list[Competitor]:
        """Those to be paired, the highest ranked first. Raises PairingError where there are too few or too many."""
        here, most = len(field.present), self.max_players
        if here < self.min_players:
            raise PairingError(
                sentence(
                    "Round %(round)s needs two players at least: %(here)s are there.", round=field.round, here=here
                )
            )
        if here > most:
            raise PairingError(
                sentence("A Swiss takes up to %(most)s players, not %(players)s.", most=most, players=here)
            )
        virtual = field.accelerated
        if not virtual and chosen["acceleration"] == BAKU:
            virtual = baku(field.players, since_round_one(field), chosen["rounds"], field.points, chosen["games"])
        return competitors_of(field, chosen["rounds"], virtual, chosen["games"])

    def why(self, field: Field, settings: Mapping[str, Any], player: int) -> tuple[Remark, ...]:
        """Why the player meets whom he meets, or has the bye. Raises PairingError."""
        if is_return(settings, field.round):
            return _why_return(field)
        return why(self._question(field, settings), _there(field, player))

    def why_not(self, field: Field, settings: Mapping[str, Any], one: int, other: int) -> tuple[Remark, ...]:
        """What speaks against the two; `other` 0: against the bye for `one`. Raises PairingError."""
        if one == other:
            raise PairingError(marked("Nobody plays against themselves: choose two players."))
        if is_return(settings, field.round):
            return _why_return(field)
        return why_not(self._question(field, settings), _there(field, one), other and _there(field, other))


def _there(field: Field, player: int) -> int:
    if player not in field.present:
        raise PairingError(
            sentence("Number %(number)s is not paired in round %(round)s.", number=player, round=field.round)
        )
    return player


def since_round_one(field: Field) -> frozenset[int]:
    """Who was paired in round 1, or is to be: with a board, or with the allocated bye."""
    if field.round == 1:
        return field.present
    seated = {player for meeting in field.meetings if meeting.round == 1 for player in (meeting.white, meeting.black)}
    return frozenset(seated | {bye.player for bye in field.byes if bye.round == 1 and bye.kind == "pab"})


# --- return games -------------------------------------------------------------------------------------------------
def is_return(settings: Mapping[str, Any], number: int) -> bool:
    """Whether a round is that of the return games of the one before."""
    return settings.get("games") == 2 and number % 2 == 0


def return_games(field: Field) -> PairedRound:
    """The boards of the round before with colours exchanged, for all who are there; who is left alone has the bye.
    Raises PairingError where more than one is."""
    before = field.round - 1
    pairs = [(game.black, game.white) for game in field.meetings if game.round == before]
    boards = [Board(white, black) for white, black in pairs if {white, black} <= field.present]
    alone = sorted(field.present - {player for board in boards for player in (board.white, board.black)})
    if len(alone) > 1:
        numbers = ", ".join(map(str, alone))
        raise PairingError(
            sentence(
                "Round %(round)s is the return game of round %(before)s: %(numbers)s have no opponent in it.",
                round=field.round,
                before=before,
                numbers=numbers,
            )
        )
    return (*boards, *(Board(player, None) for player in alone))


def _why_return(field: Field) -> tuple[Remark, ...]:
    text = marked("Round %(round)s is the return game: the boards of round %(before)s with colours exchanged.")
    return (Remark(text, {"round": field.round, "before": field.round - 1}),)


# --- Baku acceleration --------------------------------------------------------------------------------------------
def baku(
    players: Sequence[int], since_round_one: Collection[int], rounds: int, points: PointSystem, games: int = 1
) -> Mapping[int, tuple[int, ...]]:
    """The virtual points of every accelerated player in rounds 1, 2, …; `since_round_one`: who was paired then;
    `games` against each opponent. Units: the smallest of `points`."""
    first = sorted(since_round_one)
    last_of_group = first[min(2 * _half_up(_half_up(len(first))), len(first)) - 1] if first else 0
    accelerated = _half_up(-(-rounds // games))
    full = _half_up(accelerated)
    virtual = (games * points.win,) * full * games + (games * points.draw,) * (accelerated - full) * games
    return {player: virtual for player in players if player <= last_of_group}


def _half_up(count: int) -> int:
    return (count + 1) // 2
