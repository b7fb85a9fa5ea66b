"""The demo club's cup of pairs: four pairs at table football, everybody against everybody, the last round to come."""

from datetime import date, timedelta
from random import Random

from django.contrib.auth.models import User

from clubrating.site.demo import season
from clubrating.site.demo.people import HIDDEN, MEMBERS, MINOR
from clubrating.site.demo.services.table_nights import GOALS, POOL
from players.models import Player
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import BoardGame, Game, ScoreKind
from tournaments.results.services.results import record_result
from tournaments.rounds.services.rounds import pair_all_rounds
from tournaments.standings.points import Result

CUP = "Pairs cup"
PAIRS, PLAYED, APART = 4, 2, timedelta(weeks=1)


def play_pairs(today: date, by: User) -> None:
    """The event with its pairs, and the rounds played up to today."""
    named = {player.name: player for player in Player.objects.exclude(name=MINOR)}
    names = [member.name for member in MEMBERS[: 2 * PAIRS - 1]]
    people = [named[name] for name in (*names, HIDDEN) if name in named]
    if len(people) < 2 * PAIRS:
        return
    firsts, seconds = people[:PAIRS], people[-PAIRS:]
    begins = today - PLAYED * APART
    new = NewTournament(
        CUP,
        pairing_system="round-robin",
        place="Lindenhof",
        starts_on=begins,
        ends_on=begins + (PAIRS - 2) * APART,
        pool=POOL,
        game=BoardGame.OTHER,
        scores=ScoreKind.GOALS,
        entry_size=2,
    )
    event = create_tournament(new, by=by)
    partners = {one.pk: (other,) for one, other in zip(firsts, reversed(seconds), strict=True)}
    stage = event.stages.get()
    number_in_order(stage, enter_players(event, firsts, by=by, on=begins, partners=partners), by=by)
    rounds = pair_all_rounds(stage, by=by, first_day=begins)
    random = Random(season.SEED + 4)
    for row, week in zip(rounds[:PLAYED], range(PLAYED), strict=True):
        for game in Game.objects.filter(pairing__round=row).order_by("pairing__board"):
            lost, white_wins = random.randrange(GOALS), random.random() < 0.5
            result = Result.WHITE_WINS if white_wins else Result.BLACK_WINS
            score = f"{GOALS}-{lost}" if white_wins else f"{lost}-{GOALS}"
            record_result(game=game.pk, result=result, played_on=begins + week * APART, by=by, score=score)
