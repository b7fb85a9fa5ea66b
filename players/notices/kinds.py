"""Kinds of news that readers can be told of. A kind is a value: what it is called, which lines of the audit trail may
be such news, and one function that says whom a line concerns and in which words. The kinds there are stand in
`clubrating.site.notices.kinds`; each is written by the app that knows its facts.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from players.models import AuditEvent


@dataclass(frozen=True, slots=True)
class News:
    """What is told, with names as the public sees them, and the address it leads to. Of two with one `tag` the later
    takes the place of the earlier: at most 27 letters, digits and dashes."""

    title: str
    body: str
    path: str
    tag: str


# In the language that is on when it is called.
Say = Callable[[], News]


@dataclass(frozen=True, slots=True)
class Kind:
    """`key` of at most 20 letters; `words` as readers choose it; `actions` of the trail, each also in
    `players.trail.services.NOTICED` or `NOTICED_BY_ONE`.

    `told(event, among, now)` has the players (by key) whom a line concerns at that moment, which is in the club's time
    zone; of those in `among` only (None: of all). Its number of queries does not grow with them. Whoever it is no news
    to any more is missing.

    `is_private`: the public does not see it, so it is told only where a personal link showed whose device it is.
    `own_letter`: the address that has a letter of its own about the line."""

    key: str
    words: Promise
    actions: tuple[str, ...]
    told: Callable[[AuditEvent, Collection[int] | None, datetime], Mapping[int, Say]]
    is_private: bool = False
    own_letter: Callable[[AuditEvent], str] | None = None
