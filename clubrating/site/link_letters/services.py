"""A personal link by e-mail, at the wish of an officer.

Anybody can ask for notices about anybody, or enter somebody with an address of his own. So a confirmed address is no
proof of whose it is: the officer writes the one he knows to be the person's, and the letter goes to it only if it was
confirmed for that player, by the question before notices or by the letter about an entry. The page names no address.

The letter is handed to the mail server at once: a secret stands in no queue, and no row says that one was sent.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from clubrating.site.notices.letters import Letter, Outcome, deliver
from players.links.services.personal_links import make_personal_link, revoke_personal_link
from players.models import MailSubscription, PersonalLink, Player
from players.people.selectors import current_club, known_site, records_of
from players.privacy.rules import NOBODY, shown_name
from players.refusals import Refused
from tournaments.models import EntryRequest


def send_personal_link(
    player: Player, address: str, *, by: User | None, site: str, days: int, devices: int, guardian: str = ""
) -> PersonalLink:
    """Make a link and send its letter. Raises Refused, with no link left that holds: where the club sends no mail, the
    address was not confirmed for the player, or the mail server does not take the letter; as `make_personal_link`."""
    if not settings.MAIL:
        raise Refused(_("The club sends no mail: leave the address empty, and hand the link over yourself."))
    language = _language_confirmed(player, address)
    if language is None:
        text = _(
            "This address was not confirmed for this player. Leave it empty and hand the link over, or let them ask "
            "for notices by e-mail and confirm first."
        )
        raise Refused(text)
    link, secret = make_personal_link(player.pk, by=by, days=days, devices=devices, guardian=guardian)
    with override(language):
        letter = _letter(link, address, f"{known_site(site).rstrip('/')}{reverse('open-link')}#{secret}")
    if deliver(letter) is not Outcome.SENT:
        revoke_personal_link(link.pk, by=by)
        raise Refused(_("The mail server did not take the letter, so the link is taken back: try again later."))
    return link


def _language_confirmed(player: Player, address: str) -> str | None:
    """The language in which the owner of that address wants letters about the player; None where nobody confirmed it.
    Two queries at most, and those of `records_of`."""
    own = Q(player__in=list(records_of([player.pk])), address__iexact=address, confirmed_at__isnull=False)
    entries = EntryRequest.objects.filter(own).exclude(state=EntryRequest.State.REFUSED)
    for rows in (MailSubscription.objects.filter(own), entries):
        language = rows.order_by("-confirmed_at").values_list("language", flat=True).first()
        if language is not None:
            return language or get_language() or settings.LANGUAGE_CODE
    return None


def _letter(link: PersonalLink, address: str, where: str) -> Letter:
    club, name = current_club(), shown_name(link.player, NOBODY)
    context = {"club": club, "name": name, "where": where, "link": link}
    text = render_to_string("mine/link_letter.txt", context)
    return Letter(address, _("Your personal link: %(club)s") % {"club": club}, text, f"club-link-{link.pk}")
