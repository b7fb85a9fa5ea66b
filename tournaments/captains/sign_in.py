"""Officers of clubs whose session ended, or who have no second factor where one is required, are sent to sign in.

What they had sent is kept on the way (`clubrating.accounts.middleware`). Captains who came by a link never get there.
"""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.views.decorators.cache import never_cache

from clubrating.web.requests import ClubRequest


def for_captains(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of captains and officers: never kept by a cache."""

    @wraps(view)
    def answered(request: ClubRequest, **keys: int) -> HttpResponse:
        # Asking who that is ends a session that is over.
        nobody = not request.user.is_authenticated
        if nobody and (getattr(request, "signed_out", None) or getattr(request, "lacks_factor", False)):
            return redirect_to_login(request.get_full_path())
        return view(request, **keys)

    return never_cache(answered)
