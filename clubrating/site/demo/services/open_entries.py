"""The demo club's open that is still to come: players enter it on its page; one is in, one waits for an officer."""

from datetime import date, timedelta

from django.conf import settings
from django.contrib.auth.models import User

from clubrating.site.demo.people import MEMBERS
from players.models import Player
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.registrations.services.desk import approve
from tournaments.registrations.services.requests import NewRequest, ask_for_entry
from tournaments.registrations.services.rules import NewRules, set_entry_rules

OPEN, BEGINS_IN = "Lindenhof Open", timedelta(weeks=4)
_KNOWN, NEWCOMER = MEMBERS[0].name, "Robin Ashdown"


def open_entries(today: date, by: User) -> None:
    """The event with its rules. Where the club sends mail nobody has asked yet: whoever asks confirms by a letter."""
    begins = today + BEGINS_IN
    new = NewTournament(
        OPEN,
        pairing_system="dutch",
        place="Lindenhof",
        starts_on=begins,
        ends_on=begins + timedelta(days=2),
        settings={"rounds": 5},
    )
    event = create_tournament(new, by=by)
    terms = NewRules(places=32, byes=True, fee="10 €", words="Bring a clock if you have one.")
    set_entry_rules(event, terms, by=by)
    if settings.MAIL:
        return
    known = NewRequest(player=Player.objects.get(name=_KNOWN))
    first, _secret = ask_for_entry(event, known, role="visitor")
    approve(first.pk, by=by)
    ask_for_entry(event, NewRequest(name=NEWCOMER), role="visitor")
