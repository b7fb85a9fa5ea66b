"""Whose page an address opens, for everybody's pages about people."""

from django.http import Http404

from players.models import Player
from players.privacy.rules import Viewer, sees_page
from players.people.selectors import find_player


def person_at(slug: str, viewer: Viewer) -> Player:
    """Whoever the address means, as the record stands now: records that were merged lead to the one that was kept.
    Whoever calls compares the present address with the one asked for.

    Raises Http404 for nobody, for whom the viewer may not open, and for the address of a name that is no longer public.
    """
    found = find_player(slug)
    if found is None or not sees_page(found, viewer):
        raise Http404
    if found.merged_into is None and slug != found.slug == str(found.number):
        raise Http404
    while found.merged_into is not None:
        found = found.merged_into
    if not sees_page(found, viewer):
        raise Http404
    return found
