"""What every template may use."""

from django.http import HttpRequest

from players.privacy import NOBODY


def club(request: HttpRequest) -> dict[str, object]:
    """The club, the viewer, and which part of the site the page belongs to (marked in the navigation)."""
    return {
        "club": getattr(request, "club", None),
        "viewer": getattr(request, "viewer", NOBODY),
        "part": request.path.split("/")[1],
    }
