"""The hands of `test_many_hands`: each enters, corrects and clears results at random for a while, slips of today by the
key too, as the page of the round does. Meanwhile the lists are rebuilt; at the end they are compared with a replay.

python -m tests.many_hands HANDS COUNT      on the database of CLUB_DATA; exit 1 for anything but a stale form
"""

import sys
from datetime import timedelta
from multiprocessing import get_context
from random import Random
from zoneinfo import ZoneInfo

import django
from django.core.management import call_command
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
    timezone.activate(ZoneInfo(ZONE))
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


def all_at_once(hands: int, count: int) -> None:
    """Each in a process of its own."""
    with get_context("fork").Pool(hands + 1) as crowd:
        under_way = [crowd.apply_async(work, (seed, count)) for seed in range(hands)]
        under_way.append(crowd.apply_async(call_command, ("rebuild_ratings",)))
        for each in under_way:
            each.get()
    call_command("rebuild_ratings", check=True)


if __name__ == "__main__":
    all_at_once(int(sys.argv[1]), int(sys.argv[2]))
