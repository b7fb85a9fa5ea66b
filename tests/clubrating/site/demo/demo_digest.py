"""The demo club in one line: every current rating to four decimals, and every result in order of replay."""

import hashlib

from ratings.models import PlayerRating
from tournaments.models import Game

# Run as a program of its own, on an empty database.
SEED_AND_DIGEST = """
import django, sys
django.setup()
from django.core.management import call_command
from tests.clubrating.site.demo.demo_digest import digest
call_command("seed_demo", "--on", sys.argv[1], verbosity=0, stdout=sys.stderr)
print(digest())
"""


def digest() -> str:
    ratings = PlayerRating.objects.order_by("rating_list__slug", "player__number").values_list(
        "rating_list__slug", "player__number", "rating", "games", "ranked"
    )
    games = Game.objects.exclude(result="").order_by("sequence").values_list("played_on", "white__number", "result")
    lines = [f"{slug} {number} {rating:.4f} {count} {ranked}" for slug, number, rating, count, ranked in ratings]
    return hashlib.sha256("\n".join([*lines, *map(str, games)]).encode()).hexdigest()
