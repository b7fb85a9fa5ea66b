"""One pair of hands of `test_many_hands`: enters, corrects and clears results at random for a while, slips of today
also by the key, as the page of the round does.

python -m tests.many_hands SEED COUNT      on the database of CLUB_DATA; exit 1 for anything but a stale form
"""

import sys
from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

import django
from django.utils import timezone

django.setup()

from players.refusals import Refused  # noqa: E402
from tests.factory import MONDAY, ZONE, today  # noqa: E402
from tournaments.models import Game  # noqa: E402
from tournaments.results.services.quick import change_quickly  # noqa: E402
from tournaments.results.services.results import correct_result, record_result  # noqa: E402
from tournaments.standings.points import Result  # noqa: E402

CODES = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.OPEN)


def work(seed: int, count: int) -> None:
    rng = Random(seed)
    games = list(Game.objects.values_list("pk", flat=True))
    for _ in range(count):
        game = Game.objects.get(pk=rng.choice(games))
        code = rng.choice(CODES)
        day = rng.choice((today(), MONDAY + timedelta(days=rng.randrange(30))))
        try:
            if game.result and rng.random() < 0.6:
                change_quickly(game=game.pk, result=code, by=None, revision=game.revision)
            elif game.result:
                correct_result(game=game.pk, result=code, by=None, revision=game.revision)
            elif code:
                record_result(game=game.pk, result=code, played_on=day, by=None, revision=game.revision)
        except Refused:
            continue  # somebody else was faster, or nothing would change


if __name__ == "__main__":
    with timezone.override(ZoneInfo(ZONE)):
        work(int(sys.argv[1]), int(sys.argv[2]))
