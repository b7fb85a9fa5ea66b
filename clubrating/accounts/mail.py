"""A password link by e-mail, sent in the background, so that the page answers as fast for an unknown address.

Only active officers get one, and three an hour at most. The link is made by the worker and never queued.
"""

from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django_tasks import task

from clubrating.web.rate_limits import RateLimit
from players.officers.roles import accounts
from players.officers.services.credentials import make_link
from players.people.selectors import current_club
from players.trail.services import acting_from

MAILS = RateLimit("password-mails", 3, 3600)


def mail_links(email: str, *, site: str) -> None:
    """Have a link sent to every officer with that address. `site` is where the club's pages begin."""
    officers = accounts().filter(email__iexact=email).exclude(email="")
    keys = [key for key in officers.values_list("pk", flat=True) if not MAILS.is_exceeded_by(str(key))]
    for key in keys:
        MAILS.count(str(key))
    mail_link.enqueue(keys, site, get_language() or "")


@task()
def mail_link(keys: list[int], site: str, language: str = "en") -> None:
    """The work itself, done by the background worker. `language`: that of the page where it was asked for."""
    with override(language):
        _mail_link(keys, site)


def _mail_link(keys: list[int], site: str) -> None:
    club = current_club()
    for user in accounts().filter(pk__in=keys):
        with acting_from("account-forgotten"):
            link = make_link(user, by=None, mailed=True)
        path = reverse("account-link", args=[link.owner, link.token])
        text = render_to_string(
            "admin/account/link_mail.txt",
            {"user": user, "club": club, "address": site.rstrip("/") + path, "until": link.until},
        )
        send_mail(_("Your password at %(club)s") % {"club": club}, text, None, [user.email])
