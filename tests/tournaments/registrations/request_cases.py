"""A Swiss that takes entries on its page, and requests to enter it."""

from typing import Any

import pytest
from pytest_django import Settings

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages import page_cases
from tournaments.models import EntryRequest, EntryRules, Tournament
from tournaments.registrations.services.requests import NewRequest, ask_for_entry, confirm_entry
from tournaments.registrations.services.rules import NewRules, set_entry_rules

State = EntryRequest.State


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    """For a file that says `mail_server, cup = request_cases.mail_server, request_cases.cup`."""
    settings.MAIL = factory.MAIL
    settings.TASKS = factory.QUEUE


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """A Swiss nobody is entered in; the club has five players."""
    factory.make_players(5)
    return page_cases.make_event([], "dutch", rounds=5)


def opened(cup: Tournament, **more: Any) -> EntryRules:
    return set_entry_rules(cup, NewRules(**{"approval": False, **more}), by=None)


def player(number: int) -> Player:
    return Player.objects.get(number=number)


def asks(cup: Tournament, who: Player | str, **more: Any) -> EntryRequest:
    """The request, confirmed by the link of its letter where the club sends mail."""
    named = {"player": who} if isinstance(who, Player) else {"name": who}
    new = NewRequest(**named, **{"address": "a@example.org", **more})  # type: ignore[arg-type]
    row = ask_for_entry(cup, new, role="visitor")[0]
    return confirm_entry(row.pk, role="visitor")[0] if row.state == State.UNCONFIRMED else row


def states(cup: Tournament) -> list[str]:
    return [str(row.state) for row in EntryRequest.objects.filter(tournament=cup).order_by("turn")]
