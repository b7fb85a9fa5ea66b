"""Which page of this site a path is, unless its address is one reader's secret: for what visitors send us about a page.

Links that open something to whoever has them (a captain's, a registration's, those in letters) carry a secret in their
address. As logs name no path of any page (`clubrating.ops.logs.records`), such a path is kept nowhere.
"""

from functools import lru_cache

from django.conf import settings
from django.urls import Resolver404, resolve
from django.urls.resolvers import ResolverMatch
from django.utils.translation import get_language_from_path, override

from clubrating.web.languages import plain_path

LONGEST = 300
# Of one reader: whatever text their addresses carry is his.
OF_ONE_READER = ("/mine/", "/captain/", "/account/", "/admin/")
SECRETS = frozenset({"secret", "token", "code"})  # names of parts of addresses, anywhere


@lru_cache(maxsize=1024)
def public_path(path: str) -> str:
    """The path itself where it is a page of this site, in whatever language; empty where it is none, and where it
    holds a secret. `path` comes without a query."""
    if len(path) > LONGEST or not path.isprintable():
        return ""
    try:
        # Addresses are looked up in the path's own language: the reader's may be another one.
        with override(get_language_from_path(path) or settings.LANGUAGE_CODE):
            match = resolve(path)
    except Resolver404:
        return ""
    return "" if _has_secret(path, match) else path


def _has_secret(path: str, match: ResolverMatch) -> bool:
    parts = match.kwargs
    if plain_path(path).startswith(OF_ONE_READER):
        return any(isinstance(value, str) for value in parts.values())
    return not SECRETS.isdisjoint(parts)
