"""The API's description as documents: OpenAPI 3.1 for programs, the reference part of docs/api.md for people.

Both are made from `clubrating.site.programs.description` and the addresses in `clubrating/urls_api.py`, and from
nothing else; `manage.py api_docs` writes the second, and a test says when it is out of date.
"""

import re
from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Any

from django.http import JsonResponse
from django.urls import URLPattern, URLResolver, get_resolver

from clubrating.site.programs.description import reading, writing
from clubrating.site.programs.description.base import ERROR, STATUSES, Endpoint
from clubrating.site.programs.shapes import Shape, schema_of
from clubrating.web.api import VERSION, answer
from clubrating.web.requests import ClubRequest

ENDPOINTS = (*reading.ENDPOINTS, *writing.ENDPOINTS)
WIDTH = 120
_BLANK = re.compile(r"<(\w+):(\w+)>")
# Blanks as docs/api.md writes them.
_SHOWN = {"slug": "slug", "number": "n", "board": "board", "player": "n"}


def openapi(request: ClubRequest) -> JsonResponse:
    """The description of all addresses."""
    return answer(document(request.club.name, request.build_absolute_uri("/").rstrip("/")))


def routes() -> dict[str, str]:
    """The addresses of the API by the names of their routes, as Django writes them."""
    found: list[URLPattern | URLResolver] = get_resolver().url_patterns
    (api,) = (each for each in found if isinstance(each, URLResolver) and str(each.pattern) == "api/")
    patterns = (each for each in api.url_patterns if isinstance(each, URLPattern) and each.name)
    return {str(each.name): f"/api/{each.pattern}" for each in patterns}


def addresses() -> Iterator[tuple[Endpoint, str]]:
    """Every endpoint with its route, in the order of the routes."""
    for name, route in routes().items():
        yield from ((each, route) for each in ENDPOINTS if each.name == name)


# --- for programs ---------------------------------------------------------------------------------------------------
def document(club: str, site: str) -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint, route in addresses():
        path = _BLANK.sub(lambda blank: f"{{{blank[2]}}}", route)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, route)
    return {
        "openapi": "3.1.0",
        "info": {"title": club, "version": str(VERSION)},
        "servers": [{"url": site}],
        "paths": paths,
        "components": {
            "schemas": {"Error": schema_of(ERROR)},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint, route: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}-{endpoint.name}",
        "description": endpoint.words,
        "parameters": [*_parameters(endpoint, route)],
        "responses": {
            **{str(status): _taken(status, endpoint.answer) for status in (endpoint.status, *endpoint.also)},
            **{str(status): _refusal(status) for status in endpoint.refusals},
        },
    }
    if _needs_token(endpoint):
        found["security"] = [{"token": []}]
    if endpoint.body is not None:
        found["x-scope"] = endpoint.scope
        found["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of(endpoint.body)}},
        }
    return found


def _parameters(endpoint: Endpoint, route: str) -> Iterator[dict[str, Any]]:
    for kind, name in _BLANK.findall(route):
        schema = {"type": "integer", "minimum": 0} if kind == "int" else {"type": "string"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, shape in endpoint.query.items():
        yield {"name": name, "in": "query", "schema": schema_of(shape)}
    if endpoint.method == "POST":
        yield {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "maxLength": 100}}


def _taken(status: int, shape: Shape) -> dict[str, Any]:
    return {"description": STATUSES[status], "content": {"application/json": {"schema": schema_of(shape)}}}


def _refusal(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": STATUSES[status], "content": content}


def _needs_token(endpoint: Endpoint) -> bool:
    return 401 in endpoint.refusals


# --- for people -----------------------------------------------------------------------------------------------------
BEGIN, END = "<!-- made by manage.py api_docs: begin -->", "<!-- made by manage.py api_docs: end -->"


def with_reference(text: str) -> str:
    """A document with its reference part, between the two marks, written anew. Raises ValueError without the marks."""
    before, begin, rest = text.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the marks are missing: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{reference()}\n{END}{after}"


def reference() -> str:
    """Every address as a section."""
    return "\n".join(_section(endpoint, route) for endpoint, route in addresses())


def _section(endpoint: Endpoint, route: str) -> str:
    path = _BLANK.sub(lambda blank: f"<{_SHOWN[blank[2]]}>", route)
    parts = [f"## `{endpoint.method} {path}`", *(fill(part, WIDTH) for part in endpoint.words.split("\n\n"))]
    if endpoint.body is not None:
        parts += [f"Scope `{endpoint.scope}`. Send:", _fields(endpoint.body.fields)]
        parts += [f"Answered with {endpoint.status}:", _fields(endpoint.answer.fields)]
    return "\n\n".join(parts) + "\n"


def _fields(fields: Mapping[str, Shape]) -> str:
    lines = (f"- `{name.removesuffix('?')}` ({_kind(name, shape)}){_words(shape)}" for name, shape in fields.items())
    return "\n".join(fill(line, WIDTH, subsequent_indent="  ", break_long_words=False) for line in lines)


def _kind(name: str, shape: Shape) -> str:
    kind = f"list of {shape.of.kind}" if shape.kind == "array" and shape.of else shape.kind
    return f"{kind}{' or null' if shape.null else ''}{', may be missing' if name.endswith('?') else ''}"


def _words(shape: Shape) -> str:
    chosen = ", ".join(f"`{choice}`" if choice else "empty" for choice in shape.choices)
    found = "; ".join(part for part in (shape.words, f"one of {chosen}" if chosen else "") if part)
    return f": {found}" if found else ""
