"""A password link by e-mail, sent in the background, so that the page answers as fast for an unknown address.

Only active officers get one, and three an hour at most. The link is made by the worker and never queued.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django_tasks import task

from clubrating.web.rate_limits import RateLimit
from players.officers.services.credentials import make_link
from players.people.selectors import current_club
from players.trail.services import acting_from

MAILS = RateLimit("password-mails", 3, 3600)


def site_of(request: HttpRequest) -> str:
    """Where the club's pages begin. The request's host is chosen by whoever asks, but somebody else reads the mail: so
    it must be one of CLUB_ALLOWED_HOSTS where there are any."""
    names = [host for host in settings.HOSTS if not host.startswith(".")]
    if names and not validate_host(split_domain_port(request.get_host())[0], settings.HOSTS):
        return f"{request.scheme}://{names[0]}/"
    return request.build_absolute_uri("/")


def mail_links(email: str, *, site: str) -> None:
    """Have a link sent to every officer with that address. `site` is where the club's pages begin."""
    officers = User.objects.filter(email__iexact=email, is_active=True, is_staff=True).exclude(email="")
    keys = [key for key in officers.values_list("pk", flat=True) if not MAILS.is_exceeded_by(str(key))]
    for key in keys:
        MAILS.count(str(key))
    mail_link.enqueue(keys, site)


@task()
def mail_link(keys: list[int], site: str) -> None:
    """The work itself, done by the background worker."""
    club = current_club()
    for user in User.objects.filter(pk__in=keys, is_active=True, is_staff=True):
        with acting_from("account-forgotten"):
            link = make_link(user, by=None, mailed=True)
        path = reverse("account-link", args=[link.owner, link.token])
        text = render_to_string(
            "admin/account/link_mail.txt",
            {"user": user, "club": club, "address": site.rstrip("/") + path, "until": link.until},
        )
        send_mail(_("Your password at %(club)s") % {"club": club}, text, None, [user.email])
