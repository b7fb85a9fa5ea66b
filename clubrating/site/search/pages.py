"""Pages the search finds by their words: the main ones, the tools, the lab, and the glossary's terms."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from clubrating.ground.marks import marked
from clubrating.site.glossary.words import chapters
from players.people.names import sort_key
from players.refusals import said

# Address → what the page is called there, and further words it is looked for by.
PAGES = (
    ("home", marked("Tonight"), ""),
    ("ratings:index", marked("Ratings"), marked("Rating list")),
    ("ratings:corrections", marked("Corrections"), ""),
    ("tournaments:index", marked("Events"), marked("Tournaments")),
    ("seasons:index", marked("Seasons"), ""),
    ("players:index", marked("Players"), ""),
    ("about-ratings", marked("About the ratings"), marked("Probation")),
    ("glossary", marked("Glossary"), ""),
    ("privacy", marked("Privacy"), ""),
    ("members", marked("For members"), marked("Pass-phrase")),
    ("wrong-page", marked("Something is wrong on a page"), marked("Report a mistake")),
    ("tools:index", marked("Tools"), ""),
    ("tools:elo", marked("Elo calculator"), ""),
    ("tools:event", marked("Whole event"), marked("Elo calculator")),
    ("tools:performance", marked("Performance calculator"), ""),
    ("tools:expected", marked("Gap and score"), marked("Expected score")),
    ("tools:eras", marked("Across eras"), marked("Compare ratings")),
    ("tools:one-scale", marked("Clubs on one scale"), marked("Compare clubs")),
    ("tools:schedule", marked("Schedule builder"), marked("Round robin")),
    ("tools:bracket", marked("Bracket builder"), marked("Knockout")),
    ("tools:format", marked("Which format?"), ""),
    ("lab:index", marked("Lab"), ""),
    ("lab:findings", marked("The study’s findings, put to the test"), ""),
    ("lab:pictures", marked("The study in pictures"), ""),
    ("lab:scenarios", marked("Beyond the index"), ""),
    ("lab:trials", marked("How soon is a rating right, and what can be had from it?"), ""),
    ("lab:sweeps", marked("Which K, and how long a probation?"), ""),
    ("lab:sides", marked("More than two at the table"), ""),
    ("lab:pairings", marked("Which boards tell most?"), ""),
    ("lab:probation", marked("How long is somebody a newcomer?"), marked("On probation")),
    ("lab:diary", marked("Does the rating follow strength?"), ""),
    ("lab:masters", marked("The masters’ forecast"), marked("Knockout")),
    ("lab:masters-own", marked("A masters’ forecast of our own"), marked("Knockout")),
    ("lab:backtest", marked("How well do our ratings predict?"), ""),
    ("lab:proposal", marked("What would change under other rules?"), ""),
    ("lab:forecasts", marked("How good were our forecasts?"), ""),
    ("lab:typed", marked("Type your rating system and have it tested"), ""),
    ("lab:system", marked("Hand me your system"), ""),
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page: what it is called in the reader's language, its address, and beside it a few words."""

    title: str
    address: str
    note: str = ""


def find_pages(words: list[str], most: int) -> list[Hit]:
    """The pages and terms in whose titles, in the reader's language or in English, all of those words begin."""
    hits = (hit for hit, text in _everything() if begins(words, text))
    return [hit for hit, _at in zip(hits, range(most), strict=False)]


def begins(words: list[str], text: str) -> bool:
    """Whether each of the words, in Latin letters or as written, begins a word of the text or, in scripts that do not
    part words, stands in it."""
    folded = f" {sort_key(text)} {text.casefold()}"
    return all(
        f" {word}" in folded or f" {sort_key(word)}" in folded or (not word.isascii() and word in folded)
        for word in words
    )


def _everything() -> Iterator[tuple[Hit, str]]:
    for route, title, more in PAGES:
        yield Hit(said(title), reverse(route)), f"{title} {more} {said(title)} {said(more)}"
    glossary = reverse("glossary")
    for chapter in chapters():
        for term in chapter.terms:
            text = f"{term.word} {term.code} {said(term.word)}"
            yield Hit(said(term.word), f"{glossary}#term-{term.key}", said(term.meaning)), text
