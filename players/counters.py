"""Numbers that only grow, safe between writers: the counter's row stays locked until the transaction ends."""

from django.db import transaction
from django.db.models import F

from players.models import Counter

PLAYER_NUMBER = "player number"
GAME_SEQUENCE = "game sequence"
# With gaps, so that a forgotten game can be inserted between two others of the same day.
GAME_SEQUENCE_STEP = 16


@transaction.atomic
def take_numbers(name: str, count: int = 1, *, step: int = 1) -> list[int]:
    """The next `count` numbers of that counter, `step` apart. The first number ever taken is `step`."""
    counter, grown = Counter.objects.filter(name=name), F("value") + count * step
    if not counter.update(value=grown):
        Counter.objects.get_or_create(name=name)
        counter.update(value=grown)
    last = counter.values_list("value", flat=True).get()
    return [last - step * behind for behind in reversed(range(count))]
