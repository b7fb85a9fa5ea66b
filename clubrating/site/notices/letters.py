"""A letter by e-mail, and what became of it. Plain text; nothing in it is a header but what stands here.

An exception of the mail server's names the address, so it goes no further than this file: told are its type and number.
"""

import logging
from dataclasses import dataclass, field
from email.utils import parseaddr
from enum import Enum, auto
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage

_OF_POLICY = b"5.7."  # RFC 3463: the server will not send for us; nothing is wrong with the address

_log = logging.getLogger(__name__)


class Outcome(Enum):
    """`GONE`: nobody will ever be reached at that address. `FAILED`: it may work later."""

    SENT = auto()
    GONE = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class Letter:
    """To whom, about what; `name` is its own among all of the club's, so that a mail program shows it once; `link`
    stops further ones, where it is one of many."""

    address: str = field(repr=False)
    subject: str
    text: str = field(repr=False)
    name: str
    link: str = field(default="", repr=False)


def deliver(letter: Letter) -> Outcome:
    """Hand it to the club's mail server."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {
        "Message-ID": f"<{letter.name}@{domain}>",
        "Auto-Submitted": "auto-generated",  # RFC 3834: nobody’s holiday notice answers it
    }
    if letter.link:
        headers["List-Unsubscribe"] = f"<{letter.link}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    # A name with a line break in it would be refused as a forged header.
    subject = " ".join(letter.subject.split())
    try:
        EmailMessage(subject, letter.text, None, [letter.address], headers=headers).send()
    except SMTPRecipientsRefused as refusal:
        ((code, said),) = refusal.recipients.values()
        _log.warning("A letter was not taken: recipient refused, %s.", code)
        return Outcome.GONE if 500 <= code < 600 and not said.startswith(_OF_POLICY) else Outcome.FAILED
    except (SMTPException, OSError, ValueError) as error:
        code = error.smtp_code if isinstance(error, SMTPResponseException) else 0
        _log.warning("A letter was not taken: %s, %s.", type(error).__name__, code)
        return Outcome.FAILED
    return Outcome.SENT
