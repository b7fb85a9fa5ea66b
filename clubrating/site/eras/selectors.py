"""Comparisons across eras: the question of two people on two days, and the games of a list that answer it.

All rated games of two in the list's pool count alike, from the first to the last; those with stones or another komi are
left out, and so are contests with sides.
"""

from collections.abc import Collection
from datetime import date

from django.db.models import Min, Q, QuerySet

from clubrating.site.research.selectors import facts_of
from players.jobs.services import Question
from players.models import Player
from ratings.history.whole_history import HistoryGame, When
from ratings.models import RatingList
from tournaments.models import Game
from tournaments.rated_games.selectors.games import Day, rated_in
from tournaments.standings.points import SCORES

ERAS = "eras"  # the kind of question
FEWEST_GAMES = 50  # with fewer nobody can say how fast strengths change
# Increased when the computation changes, so that earlier answers are computed anew.
_EDITION = 1


def eras_question(rating_list: RatingList, one: When, other: When) -> Question:
    """How strong was `one` on his day, and `other` on his? Days are ordinals."""
    payload = {"edition": _EDITION, "whens": [list(one), list(other)]}
    return Question(ERAS, payload, facts_of(rating_list), rating_list.pk)


def even_games(rating_list: RatingList) -> QuerySet[Game]:
    """The list's rated games in which neither side was given anything."""
    return rated_in(rating_list.pool).filter(handicap=0, komi=None)


def has_enough_games(rating_list: RatingList) -> bool:
    return even_games(rating_list).order_by()[:FEWEST_GAMES].count() == FEWEST_GAMES


def history_games(rating_list: RatingList) -> list[HistoryGame]:
    """All of them in order of play, White first. One query."""
    rows = even_games(rating_list).order_by("played_on", "sequence")
    columns = ("white_id", "black_id", Day("played_on"), "result")
    return [HistoryGame(white, black, day, SCORES[result]) for white, black, day, result in rows.values_list(*columns)]


def first_days(rating_list: RatingList, players: Collection[Player]) -> dict[int, date]:
    """The day of everybody's first such game, by key; who has none is missing. A query each."""
    found = {}
    for player in players:
        games = even_games(rating_list).filter(Q(white=player) | Q(black=player)).order_by()
        day = games.aggregate(first=Min("played_on"))["first"]
        if day is not None:
            found[player.pk] = day
    return found
