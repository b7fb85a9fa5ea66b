"""Asking a browser for a passkey, for officers and for members: what is kept of a question until its answer comes, and
what of an answer is looked at before its signature is. A question is answered within five minutes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from time import time
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from clubrating.web.rate_limits import RateLimit
from players.people.selectors import current_club
from players.refusals import Refused

LASTS = 300  # seconds
LONGEST_ANSWER = 20_000  # characters
TRIES, TRIES_LAST = 20, 600  # wrong answers; seconds


def checks(*, alone: bool = False) -> Any:
    """The two ceremonies for this site; `alone`: the passkey is the only proof (`clubrating.web.webauthn.Checks`)."""
    return import_string(settings.PASSKEY_CHECKS)(settings.PASSKEY_SITE, str(current_club()), alone=alone)


def note_question(asked: tuple[dict[str, Any], Any], kind: str, key: int, **more: str) -> tuple[str, dict[str, Any]]:
    """What the browser is asked, as JSON, and what is kept of it: of which kind it is, and whom it was put to."""
    options, state = asked
    return json.dumps(options), {"kind": kind, "key": key, "state": state, "at": time(), **more}


@dataclass(frozen=True, slots=True)
class Answering:
    """How answers of one kind of people are taken: by whom wrong ones are counted, what is said of one and of many."""

    tries: RateLimit
    counted_as: str
    wrong: str
    too_many: str

    def take(self, asked: Any, kind: str, key: int, text: str) -> dict[str, Any]:
        """The browser's answer to a question that was kept and is used up now. Raises Refused."""
        if not (settings.PASSKEY_SITE and asked and (asked["kind"], asked["key"]) == (kind, key)):
            raise Refused(_("This page was answered already, or is an old one: try again."))
        if self.tries.is_exceeded_by(self.counted_as):
            raise Refused(self.too_many)
        if time() - asked["at"] > LASTS:
            raise Refused(_("That took longer than five minutes: try again."))
        try:
            answer = json.loads(text[:LONGEST_ANSWER])
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self.refused()
        return answer

    def check(self, read: Callable[[], Any]) -> Any:
        """What was read off an answer. Raises Refused for one that does not belong to question, site or keys."""
        try:
            return read()
        except import_string(settings.PASSKEY_WRONG):
            raise self.refused() from None

    def refused(self) -> Refused:
        """A wrong answer, which is counted."""
        self.tries.count(self.counted_as)
        return Refused(self.wrong)
