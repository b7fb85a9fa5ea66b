"""What is answered before a page is made, without looking up the user: a refusal, or a page from the cache.

The order matters: the size is read off a header; a closed site asks the database for nothing; a cached page costs one
query and is not counted; what has to be made is counted.
"""

from typing import Any

from django.http import HttpResponse

from clubrating.ops.limits import too_large, too_often
from clubrating.ops.maintenance import closed
from clubrating.web.frames import let_into_frames
from clubrating.web.page_cache import cached_or_made
from clubrating.web.requests import ClubRequest, GetResponse


class EarlyAnswerMiddleware:
    """413, 503, 429, 304 and cached pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: ClubRequest) -> HttpResponse:
        answer = too_large(request) or closed(request) or cached_or_made(request, self.get_response)
        return let_into_frames(request, answer)

    def process_view(self, request: ClubRequest, _view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        """Called when the route is known and the language is on, just before the page is made."""
        return too_often(request)
