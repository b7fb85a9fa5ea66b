"""What a page says of people's ratings and probation and of the round that is on, to be compared with other pages.

A rating or probation in an event is that at entry, and the page has to say so where it stands. Everywhere else it is
today's.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

PERSON = re.compile(r"/players/([\w-]+)/$|(/tournaments/[\w-]+/entries/\d+/)$")
EVENT = re.compile(r"/tournaments/([\w-]+)/")
ROUND_IN_WORDS, ROUND_IN_FIGURES = re.compile(r"\b[Rr]ound (\d+) of (\d+)\b"), re.compile(r"(\d+) / (\d+)$")
ROUND_PAGE = re.compile(r"/rounds/\d+/$")
RATING = re.compile(r"(\d{3,4})\??$")
COUNT = re.compile(r"(\d+)/(\d+)$")
# Where one person's figures end and another's begin.
OF_ONE = {"tr", "li", "p", "dl"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}
EARLIER = {"on", "known", "day"}  # pages of another day
OF_A_GAME = ("/players/", "/ratings/", "/lab/", "/tools/")  # beside lists: ratings before a game, or of nobody
LIST = re.compile(r"/ratings/([\w-]+)/$")
MAIN_LIST = "standard"  # of the demo club: the one its front page shows
AT_ENTRY = "at entry"


@dataclass
class Said(HTMLParser):
    """The figures of one page: (what, of whom, when) and the figure. `unsaid`: those of an event without a word."""

    address: str
    text: str
    figures: list[tuple[tuple[str, str, str], str]] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        parts = urlsplit(self.address)
        own = EVENT.match(parts.path)
        self.event = own[1] if own else ""
        shown = LIST.match(parts.path)
        self.list = parse_qs(parts.query).get("list", [shown[1] if shown else MAIN_LIST])[0]
        self.of_a_game = shown is None and parts.path.startswith(OF_A_GAME)
        self.person, self.row_event, self.section, self.link = "", "", "", ""
        self._open: list[tuple[str, str]] = []
        self._ratings: list[str] = []
        page_of = PERSON.search(parts.path)
        self._page_of = (page_of[1] or page_of[2]) if page_of else ""
        if not EARLIER & {*parse_qs(parts.query)}:
            self.feed(self.text)
            self._end_of_section()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in OF_ONE:
            self.person, self.row_event = "", ""
        if tag == "section":
            self._end_of_section()
        if tag == "a":
            path = self.link = urlsplit(given.get("href", "")).path
            self.person = next((one[1] or one[2] for one in [PERSON.search(path)] if one), self.person)
            self.row_event = next((one[1] for one in [EVENT.match(path)] if one), self.row_event)
        if tag not in VOID:
            self._open.append((tag, given.get("class", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A part of a drawing: nothing stands in it."""

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "section":
            self._end_of_section()

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if not words or any(tag in ("script", "style", "title") for tag, _kind in self._open):
            return
        self.section += f" {words}"
        tags = [tag for tag, _kind in self._open]
        linked = ROUND_IN_FIGURES.match(words) if "a" in tags and ROUND_PAGE.search(self.link) else None
        if (event := self.event or self.row_event) and (found := ROUND_IN_WORDS.search(words) or linked):
            self.figures.append((("round", event, "now"), f"{found[1]}/{found[2]}"))
        kinds = " ".join(kind for _tag, kind in self._open[-3:]).split()
        if "probation" in kinds and (count := COUNT.match(words)):
            self._note("probation", count[0])
        elif (
            not self.of_a_game
            and ("rating" in kinds or {"alt", "nowrap"} <= {*kinds})
            and (rating := RATING.match(words))
        ):
            self._note("rating", rating[1])

    def _note(self, what: str, figure: str) -> None:
        if whose := self.person or self._page_of:
            when = f"{AT_ENTRY} to {self.event}" if self.event else f"now {self.list}"
            self.figures.append(((what, whose, when), figure))
            if self.event and what == "probation" and not self.section.endswith(f"{AT_ENTRY} {figure}"):
                self.unsaid.append(f"{what} {figure} of {whose}")
            self._ratings += [f"{what} {figure} of {whose}"] if self.event else []

    def _end_of_section(self) -> None:
        """Whether the words at the figures of an event, in their section, say that they are those at entry."""
        if AT_ENTRY in self.section:
            self._ratings = []
        self.unsaid += self._ratings
        self.section, self._ratings = "", []
