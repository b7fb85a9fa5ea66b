"""The demo club's go league: free games on Sundays with handicap stones by grade, in a list of its own rated by EGF."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random

from django.contrib.auth.models import User

from clubrating.site.demo import season
from clubrating.site.demo.people import MEMBERS, MINOR, Member
from players.models import Player
from ratings.lists.services import NewStart, change_list, create_list, usual_names
from ratings.models import StartingRating
from ratings.systems.base import Handicap
from ratings.systems.egf import expected_black, handicap_shift, usual_handicap
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import BoardGame
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

POOL, LEAGUE = "go", "Go league"
# Whoever plays, with the declared grade as a rating; what they really play like differs by up to a grade and a half.
GRADES = (2200.0, 2100.0, 2000.0, 1900.0, 1700.0, 1500.0, 1300.0, 1000.0)
ROUNDS, APART = 8, timedelta(weeks=3)
OFF = 150.0


def play_go(today: date, by: User) -> None:
    """The list, its declared grades, and every game up to today."""
    go = create_list(name="Go", names=usual_names("Go"), slug="go", pool=POOL, by=by, order=5, system="egf")
    change_list(go, {"provisional_games": ROUNDS - 2}, by=by)
    named = {player.name: player for player in Player.objects.exclude(name=MINOR)}
    people = [member for member in MEMBERS if member.name in named][4 : 4 + len(GRADES)]
    if len(people) < len(GRADES):
        return
    begins = today - ROUNDS * APART
    declared = dict(zip((one.name for one in people), GRADES, strict=True))
    estimate = StartingRating.Source.ESTIMATE
    starts = [NewStart(named[name].pk, begins, rating, source=estimate) for name, rating in declared.items()]
    bring_starting_ratings(go, starts, by=by)
    new = NewTournament(LEAGUE, pairing_system="free", place="Lindenhof", pool=POOL, game=BoardGame.GO, komi=6.5)
    event = create_tournament(new, by=by)
    for day, white, black, given, result in _played(today, people, declared):
        record_free_game(event, named[white], named[black], result, day, by=by, again=True, handicap=given)


def _played(
    today: date, people: Sequence[Member], declared: dict[str, float]
) -> Iterator[tuple[date, str, str, Handicap | None, Result]]:
    """Every game in order of time; who meets whom is drawn anew each Sunday, and the weaker one is Black."""
    random = Random(season.SEED + 3)
    plays_like = {name: rating + random.uniform(-OFF, OFF) for name, rating in declared.items()}
    for week in range(ROUNDS, 0, -1):
        here = random.sample([one.name for one in people], len(people))
        for pair in zip(here[::2], here[1::2], strict=True):
            white, black = sorted(pair, key=lambda name: -declared[name])
            given = usual_handicap(declared[white], declared[black])
            shift = handicap_shift(*given) if given else 0.0
            black_wins = random.random() < expected_black(plays_like[black], plays_like[white], shift)
            yield today - week * APART, white, black, given, Result.BLACK_WINS if black_wins else Result.WHITE_WINS
