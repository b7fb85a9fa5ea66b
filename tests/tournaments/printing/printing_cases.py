"""How the tests read a print page: its sheets by their keys, and what stands on them."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tournaments.models import Tournament

EVERY_SHEET = (
    "pairings",
    "names",
    "slips",
    "board-cards",
    "standings",
    "crosstable",
    "crosstable-number",
    "bracket",
    "calendar",
    "player-cards",
    "start-list",
    "start-list-names",
    "blank-results",
    "blank-pairings",
    "blank-crosstable",
    "blank-standings",
)


def print_page(client: Client, event: Tournament, *sheets: str, status: int = 200, **query: object) -> HttpResponse:
    """The print page with those sheets chosen."""
    data: dict[str, Any] = {"sheets": list(sheets)} if sheets else {}
    response = client.get(f"/tournaments/{event.slug}/print/", {**data, **query})
    assert response.status_code == status
    return response


def printed(response: HttpResponse) -> list[str]:
    """The keys of the sheets on the page."""
    return [sheet.kind.key for sheet in response.context["sheets"]]  # type: ignore[attr-defined]


def offered(response: HttpResponse) -> list[str]:
    """The keys of the sheets the form offers."""
    return [key for key, _name in response.context["form"].fields["sheets"].choices]  # type: ignore[attr-defined]


def content(client: Client, event: Tournament, key: str, **query: object) -> Sequence[Any]:
    """What is printed on that sheet, part by part."""
    response = print_page(client, event, key, **query)
    assert printed(response) == [key]
    parts: Sequence[Any] = response.context["sheets"][0].content  # type: ignore[attr-defined]
    return parts


class Sheets(HTMLParser):
    """The words of every sheet, by its key."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: dict[str, str] = {}
        self._key = ""
        self._deep = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "section":
            return
        classes = (dict(attrs).get("class") or "").split()
        if "sheet" in classes:
            self._key, self._deep = classes[1].removeprefix("sheet-"), 0
            self.words[self._key] = ""
        self._deep += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "section":
            self._deep -= 1
            if not self._deep:
                self._key = ""

    def handle_data(self, data: str) -> None:
        if self._key:
            self.words[self._key] = f"{self.words[self._key]} {data.strip()}".strip()


def words(client: Client, event: Tournament, key: str, **query: object) -> str:
    """All that is to be read on that sheet, blanks made one."""
    response = print_page(client, event, key, **query)
    return " ".join(Sheets(response.content.decode()).words[key].split())
