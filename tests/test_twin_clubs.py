"""Two clubs that differ only in what must not be seen give the same bytes: every page, file, feed, drawing and digest,
its headers and its address; to the public in three languages.

`tests/test_leaks.py` looks for names. Here nothing is looked for: the same club is made twice, with other secrets, and
whatever differs is a leak: an empty cell, an order, a count, a number that was given in an order. Not secret: ratings
and games of people who are not shown by name (docs/privacy.md), so the lists here have a K that knows no age.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import count, zip_longest
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import is_valid_path, resolve
from django.utils import translation

from clubrating.web.languages import path_in
from players.club.services import update_club
from players.models import Player
from players.people.services import NewPlayer, create_players, set_identities
from players.privacy.services import NewGuardian, set_guardians
from ratings.lists.services import NewStart, create_list
from ratings.models import RatingList
from tests import factory
from tests.databases import restart_keys
from tests.reachable import answers, text_of
from tests.tournaments.event_pages import page_cases
from tests.tournaments.forecasts.forecast_cases import store
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Game, Tournament
from tournaments.presence.services import report_absence
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.registrations.services.requests import NewRequest, ask_for_entry
from tournaments.registrations.services.rules import NewRules, set_entry_rules
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.seasons.services import save_season
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Secret:
    """What is known of somebody besides the number and who sees the name."""

    name: str
    birth_year: int | None = None
    sex: str = ""
    title: str = ""
    joined_on: date | None = None
    fide: str = ""
    reading: str = ""


@dataclass(frozen=True)
class Secrets:
    """What no viewer of the public's pages sees: a hidden person, one for members, one shown by initials; notes,
    drafts and what was reported."""

    hidden: Secret
    members: Secret
    initials: Secret
    note: str = ""
    drafts: bool = False
    absences: bool = False


ONE = Secrets(
    Secret("Hilde Plantedhidden", 2014, "f", "WGM", date(2020, 1, 1), "4600001", "Хильда Планхидден"),
    Secret("Mara Plantedmember", 1940, "f", "GM", date(2021, 1, 1), "4600002", "Мара Планмембер"),
    Secret("Kerem Plantedminor", 2016, "m", "CM", date(2022, 1, 1), "4600003", "Керем Планминор"),
    note="He was not well",
    drafts=True,
    absences=True,
)
OTHER = Secrets(Secret("Abe Zoll"), Secret("Zed Aalto", 2012, "m"), Secret("Karl Peters", 1980))
# What a member sees is the same: the others, and who gave notice. The hidden person's own, notes and drafts are not.
HIDDEN_OTHER = replace(OTHER, members=ONE.members, initials=ONE.initials, absences=True)
# Traditional Chinese has the words of the same pages, and chooses names as Simplified does.
OTHER_LANGUAGES = ("ru", "zh-hans")
CASES = {"nobody": (ONE, OTHER), "member": (ONE, HIDDEN_OTHER)}


def build(secrets: Secrets) -> None:
    """The club with those secrets, always made by the same steps; what one club has and the other not comes last."""
    factory.make_club()
    by_rating = {"preset": "uscf"}
    standard = create_list(name="Standard", slug="standard", pool="standard", by=None, settings=by_rating, primary=True)
    update_club({"pass_phrase": "open sesame"}, by=None)
    private = {"hidden": secrets.hidden, "members": secrets.members, "initials": secrets.initials}
    people = [
        NewPlayer(one.name, one.birth_year, one.sex, one.title, level, one.joined_on, reading=one.reading)
        for level, one in private.items()
    ]
    first, *rest = create_players(people, by=None)
    players = [first, *factory.make_players(2), *rest, *create_players([NewPlayer("Zoe Zander", 1950, "f")], by=None)]
    bring_starting_ratings(standard, [NewStart(person.pk, factory.MONDAY, 1800, 50) for person in players], by=None)
    robin = factory.make_round_robin(players)
    store(robin)
    for number in (1, 2, 3):
        factory.play_round(robin, number, [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS])
    publish_list(standard, factory.MONDAY + timedelta(days=10), by=None)
    game = Game.objects.filter(tournament=robin).exclude(result="").order_by("pk")[0]
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None, reason="appeal", note=secrets.note)
    funds = {"Winter Cup": True, "Open": False}
    wish = create_tournament(NewTournament("Spring", "dutch", {"rounds": 4}, starts_on=factory.MONDAY), by=None)
    set_entry_rules(wish, NewRules(places=5, born_until=2015), by=None)
    for person in (secrets.hidden, secrets.members):  # newcomers, by the names they typed, for officers alone
        asks = NewRequest(
            name=person.name, birth_year=person.birth_year or 1990, address=f"{len(person.name)}@example.org"
        )
        ask_for_entry(wish, asks, role="visitor")
    swiss = create_tournament(NewTournament("Open", "dutch", {"rounds": 4}, starts_on=factory.MONDAY), by=None)
    enter_players(swiss, players, by=None)
    number_by_rating(page_cases.first_stage(swiss), by=None)
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
    page_cases.play_open_round(swiss, *[Result.BLACK_WINS] * 3)
    prizes = [NewPrize("place", None, rank, 9_000 // rank) for rank in (1, 2, 3)]
    prizes += [NewPrize("junior", 18, 1, 10_000), NewPrize("senior", 60, 1, 7_000), NewPrize("woman", None, 1, 8_000)]
    for event in (robin, swiss):
        set_prizes(event, Fund("€", "full", 100, one_each=funds[event.name]), prizes, by=None)
    page_cases.play_match(page_cases.draw_cup(players, games=2), 1, 2, Result.DRAW)
    page_cases.form_groups(players, name="Groups", groups=2)
    page_cases.keizer_club(players, [[Result.WHITE_WINS, Result.DRAW, Result.DRAW]])
    save_season(None, {"name": "Grand Prix", "slug": "gp"}, [robin.pk, swiss.pk], by=None)
    for person, one in zip([first, *rest], private.values(), strict=True):
        set_identities(person, {"fide": one.fide}, by=None)
        if one.birth_year and one.birth_year > 2010:
            set_guardians(person.pk, [NewGuardian(f"Guardian of {one.name}", "at home")], by=None)
    factory.make_arbiter("an-arbiter")
    if secrets.absences:
        report_absence(Entry.objects.filter(tournament=swiss).order_by("pk")[2].pk, 3, by=None, role="member")
    if secrets.drafts:
        _draft(players, game)


def _draft(players: list[Player], game: Game) -> None:
    """What only officers know of: a list that is not public, a round that is not published, a report."""
    secret = create_list(name="Planted list", slug="planted", pool="planted", by=None)
    bring_starting_ratings(secret, [NewStart(players[1].pk, factory.MONDAY, 1777, 50)], by=None)
    RatingList.objects.filter(pk=secret.pk).update(public=False)
    swiss = Tournament.objects.get(slug="open")
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY + timedelta(days=7))
    report_result(game.pk, Result.WHITE_WINS, role="visitor", words="planted words", contact="planted contact")


class Clock(datetime):
    """Both clubs are made and read at the same moments: noon, and a millionth of a second more each time."""

    noon = datetime.now(tz=UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    ticks = count()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return cls.noon + timedelta(microseconds=next(cls.ticks))


# What may differ, and why: the random token of a form; when a workbook was written.
ALLOWED = re.compile(r'name="(?:csrfmiddlewaretoken|stamp)" value="[^"]+"|<dcterms:\w+ [^>]+>[^<]+')
# Two random tokens; the moment of the answer; the size, since every byte is compared; and a digest of when anything was
# last changed in the club, which does not say what.
HEADERS_ALLOWED = ("Set-Cookie", "Expires", "Content-Length", "ETag", "X-Request-ID")


def seen_of(answer: HttpResponse) -> tuple[object, ...]:
    headers = {name: value for name, value in answer.items() if name not in HEADERS_ALLOWED}
    chain = getattr(answer, "redirect_chain", [])  # where redirects were followed
    return answer.status_code, chain, headers, ALLOWED.sub("", text_of(answer.content))


# What somebody tries who guesses: names, titles and numbers of both clubs, addresses of what is not public. And pages
# that the short suite might pass over, because there are others of their kind.
GUESSES = ("Plantedhidden", "Zoll", "Hilde", "Plantedminor", "Peters", "Aalto", "WGM", "GM", "4600001", "Планхидден")
SEARCHED = ("players/", "search/", "search/found/", "ratings/standard/", "api/v1/players/", "tournaments/")
SLUGS = ("1", "1-hilde-plantedhidden", "1-abe-zoll", "2-zed-aalto", "3-kerem-plantedminor", "3-karl-peters")
PATHS = (
    *(f"/{page}?q={guess}" for page in SEARCHED for guess in GUESSES),
    *(f"/ratings/standard/?age={age}" for age in ("u10", "u14", "u18", "50", "65")),
    *(f"/players/{slug}/" for slug in SLUGS),
    *(f"/players/?sort={name}" for name in ("title", "-title", "birth_year")),
    *(f"/ratings/planted/{page}" for page in ("", "list.csv", "list.json", "wall/")),
    *("/api/v1/ratings/planted/", "/api/v1/tournaments/open/rounds/2/", "/tournaments/open/rounds/2/"),
    *("/tournaments/open/absent/", "/tournaments/open/rounds/2/why/2/", "/ratings/standard/?me=Zoll"),
    *("/tournaments/open/prizes/", "/tournaments/winter-cup/prizes/", "/tournaments/open/entries/"),
    *("/tournaments/winter-cup/standings.csv", "/tournaments/winter-cup/report.trf", "/tournaments/open/games.pgn"),
)


def turn_rows() -> None:
    """Write the rows of every table anew, unchanged, from the last to the first. PostgreSQL puts a row that is written
    behind the others, and reads it after them where nothing asks for an order."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table, key = map(connection.ops.quote_name, (model._meta.db_table, model._meta.pk.column))
            cursor.execute(f"SELECT {key} FROM {table} ORDER BY {key} DESC")
            cursor.executemany(f"UPDATE {table} SET {key} = {key} WHERE {key} = %s", cursor.fetchall())


def read(kind: str, secrets: Secrets, *, turned: bool = False) -> dict[str, tuple[object, ...]]:
    """Everything that viewer reaches in the club with those secrets, by address; `turned`: after `turn_rows`."""
    found: dict[str, tuple[object, ...]] = {}
    with transaction.atomic(), patch("django.utils.timezone.datetime", Clock):
        Clock.ticks = count()
        restart_keys()
        translation.activate("en")  # the first club was last read in another language
        build(secrets)
        if turned:
            turn_rows()
        for cache in caches.all():
            cache.clear()
        client = Client()
        if kind == "member":
            client.post("/members/", {"pass_phrase": "open sesame"})
        for address, answer in answers(client):
            found[address] = seen_of(answer)
        for address in PATHS:
            found[address] = seen_of(client.get(address, follow=True))
        english = list(found)
        for code in OTHER_LANGUAGES if kind == "nobody" else ():
            for address in in_language(english, code):
                found[address] = seen_of(client.get(address, follow=True))
        transaction.set_rollback(True)
    return found


def in_language(addresses: list[str], code: str) -> Iterator[str]:
    """The first page of each view in another language."""
    plain = [address for address in addresses if "?" not in address and is_valid_path(path_in(address, code))]
    first = {resolve(address).view_name: address for address in reversed(plain)}
    yield from (path_in(address, code) for address in first.values())


def difference(one: tuple[object, ...], other: tuple[object, ...]) -> str:
    """The first lines, or whatever else, that are not the same."""
    mine, theirs = next((mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine != theirs)
    lines = zip_longest(str(mine).splitlines(), str(theirs).splitlines())
    return " / ".join(map(str, next(pair for pair in lines if pair[0] != pair[1])))


@pytest.mark.slow
@pytest.mark.parametrize("kind", CASES)
def test_what_must_not_be_seen_changes_no_byte(db: None, kind: str) -> None:
    one, other = (read(kind, secrets) for secrets in CASES[kind])
    assert len(one) > 180
    assert one.keys() == other.keys(), sorted(one.keys() ^ other.keys())
    leaks = {address: difference(one[address], other[address]) for address in one if one[address] != other[address]}
    assert not leaks, "\n".join(f"{address}: {what}" for address, what in leaks.items())


def test_where_the_database_keeps_a_row_changes_no_byte(db: None) -> None:
    """Without an order of its own, what a page shows would change with the next write."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite reads rows by their key, wherever they were written")
    one, other = read("member", ONE), read("member", ONE, turned=True)  # in English alone
    moved = {address: difference(one[address], other[address]) for address in one if one[address] != other[address]}
    assert not moved, "\n".join(f"{address}: {what}" for address, what in moved.items())
