"""Pages that follow a round: `?part=live` answers the parts that change, for `static/js/live.js` to put in place.

Whoever has them as they are is answered 304 without their being made: for the public by `clubrating.web.page_cache`,
for members and officers, whose pages nobody keeps, here.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.http import condition

from clubrating.web.page_cache import code_stamp, stamp_of
from clubrating.web.requests import ClubRequest
from tournaments.events.selectors.event_data import EventData, RoundData
from tournaments.rounds.selectors.progress import last_result_at, round_on

EVERY = 25  # seconds between two questions
PART, LIVE = "part", "live"
PAGE, PARTS = "tournaments/event.html", "tournaments/live.html"

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Following:
    """A page that follows the `round`, or the tables of today: where it asks how often, and when the last result came
    in."""

    address: str
    every: int
    round: RoundData | None
    last: datetime | None


def following_at(request: ClubRequest, on: RoundData | None = None, last: datetime | None = None) -> Following:
    """The page asked for, as it follows a round."""
    asked = request.GET.copy()
    asked[PART] = LIVE
    return Following(f"{request.path}?{asked.urlencode()}", EVERY, on, last)


def follow(view: View) -> View:
    """A page that answers `?part=live` with its changing parts alone, and 304 to whoever has them."""
    kept = condition(etag_func=_tag)(view)

    def answered(request: ClubRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get(PART) != LIVE:
            return view(request, *args, **kwargs)
        return kept(request, *args, **kwargs)

    return answered


def show(request: ClubRequest, name: str, event: EventData, context: dict[str, Any]) -> HttpResponse:
    """The page, or its changing parts; a page of another round than the one being played follows nothing."""
    on = round_on(event, timezone.localdate())
    shown = context.get("round") if context["tab"] == "rounds" else on
    following = None
    if on is not None and shown is not None and shown.number == on.number:
        following = following_at(request, on, last_result_at(event.tournament))
    only_parts = request.GET.get(PART) == LIVE
    context |= {"following": following, "base_template": PARTS if only_parts else PAGE}
    return render(request, name, context)


def _tag(request: ClubRequest, *_args: Any, **_kwargs: Any) -> str:
    """What the parts are called as they are now, for this kind of viewer."""
    level, stamp = str(int(request.viewer.level)), stamp_of(request.club)
    asked = (request.get_full_path(), get_language() or "", level, code_stamp(), stamp)
    return quote_etag(hashlib.blake2b("\0".join(asked).encode(), digest_size=16).hexdigest())
