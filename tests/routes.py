"""Every address of the site, as Django resolves them."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver


class Route(NamedTuple):
    name: str  # with the space it stands in: "tools:index"; "tools:" where it has none
    path: str  # from the root on, with its blanks: "players/<slug:slug>/"
    pattern: URLPattern


def routes(resolver: URLResolver | None = None, before: str = "", space: str = "") -> Iterator[Route]:
    for each in (resolver or get_resolver()).url_patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from routes(each, path, f"{each.namespace}:" if each.namespace else space)
        else:
            yield Route(f"{space}{each.name or ''}", path, each)
