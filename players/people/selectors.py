"""Reading about people and the club: names in order, search, the viewer behind a request."""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Case, CharField, F, Q, QuerySet, Value, When
from django.http.request import split_domain_port, validate_host

from clubrating.ground.numbers import number_in, whole_number
from players.models import Club, Player
from players.people.names import halves_of, misspelt_pattern, search_key, spellings_of
from players.privacy.rules import MEMBER, NOBODY, OFFICER, Viewer, names_seen, sees_page, shown_name

SESSION_KEY = "member_of_version"
_NUMBER = re.compile(r"(?<![(\w])#([0-9]{1,9})\b")
BY_NAME = ("shown_order", "number")  # of `list_players`
MOST_WORDS = 6  # of a search; a name has fewer
_NO_NAME_SEEN = "\U0010ffff"  # sorts after every script


class SessionLike(Protocol):
    def get(self, key: str) -> object: ...


def current_club() -> Club | None:
    """The club, or None before it is set up."""
    return Club.objects.first()


def known_site(address: str) -> str:
    """That address; that of the first name of CLUB_ALLOWED_HOSTS where there are some and its own is none of them."""
    names, parts = [host for host in settings.HOSTS if not host.startswith(".")], urlsplit(address)
    if names and not validate_host(split_domain_port(parts.netloc)[0], settings.HOSTS):
        return f"{parts.scheme}://{names[0]}/"
    return address


def viewer_of(user: AbstractBaseUser | AnonymousUser, session: SessionLike, club: Club | None) -> Viewer:
    """Who looks: staff are officers; a session that knows the present pass-phrase is a member's."""
    if user.is_active and getattr(user, "is_staff", False):
        return OFFICER
    if club and club.pass_phrase and session.get(SESSION_KEY) == club.pass_phrase_version:
        return MEMBER
    return NOBODY


def list_players(viewer: Viewer, *, search: str = "", misspelt: bool = False) -> QuerySet[Player]:
    """Players by the name this viewer sees; whoever is not seen by name stands at the end, by number.

    The search looks only at names the viewer may read, else it would confirm a guess; a number is everybody's. It finds
    words in any spelling; `misspelt`: longer ones also where one letter is wrong.
    """
    seen = names_seen(viewer)
    players = Player.objects.filter(merged_into=None)
    number = whole_number(search.removeprefix("#"))
    if number is not None:
        return players.filter(number=number).annotate(shown_order=F("sort_name"))
    if words := search.replace(",", " ").split()[:MOST_WORDS]:
        condition = Q()
        for word in words:
            condition &= _spelt_like(word, misspelt=misspelt)
        players = players.filter(seen, condition)
    order = Case(When(seen, then=F("sort_name")), default=Value(_NO_NAME_SEEN), output_field=CharField())
    return players.annotate(shown_order=order).order_by(*BY_NAME)


def find_people(viewer: Viewer, search: str, most: int) -> list[Player]:
    """The first of those the search finds, whoever has a word that begins so before the others; where nobody is called
    so, those whose names are one letter away. Two queries at most."""
    words = search.split()[:MOST_WORDS]
    if not words:
        return []
    begins = Q()
    for spelling in spellings_of(words[0]):
        begins |= Q(search_name__startswith=spelling) | Q(search_name__contains=f" {spelling}")
    order = Case(When(begins, then=Value(0)), default=Value(1))
    people = list(list_players(viewer, search=search).order_by(order, *BY_NAME)[:most])
    return people or list(list_players(viewer, search=search, misspelt=True)[:most])


def _spelt_like(word: str, *, misspelt: bool) -> Q:
    spellings = spellings_of(word)
    condition = Q()
    for spelling in spellings:
        condition |= Q(search_name__contains=spelling)
    if misspelt and (parts := halves_of(spellings[-1])):
        near = Q()
        for part in parts:
            near |= Q(search_name__contains=part)
        # The parts come first: only a few names are left for the pattern, which is slow.
        condition |= near & Q(search_name__regex=misspelt_pattern(spellings[-1]))
    return condition


def named(words: Iterable[str], path: str = "") -> Q:
    """A condition for players whose name has every one of those words; `path` leads to the player ("player__").

    Where the public searches, `names_seen` goes with it."""
    condition = Q()
    for word in words:
        condition &= Q(**{f"{path}search_name__contains": word})
    return condition


def words_of(text: str) -> list[str]:
    """The words of a search by officers, in every spelling a name is kept in; ten are enough for anybody."""
    return search_key(text).split()[:10]


def find_player(slug: str) -> Player | None:
    """The player whose number stands at the front of an address, whatever follows it."""
    return Player.objects.filter(number=number_in(slug.partition("-")[0])).first()


def visible_players(numbers: Iterable[int], viewer: Viewer) -> dict[int, Player]:
    """Those of these numbers whose page this viewer may open, by the number asked for; a merged record is the one that
    was kept. Whoever is hidden is missing like whoever does not exist."""
    found = {}
    for player in Player.objects.filter(number__in=set(numbers)).select_related("merged_into"):
        if sees_page(player, viewer) and sees_page(player.kept, viewer):
            found[player.number] = player.kept
    return found


def records_of(players: Iterable[int]) -> dict[int, int]:
    """The keys of those records and of all that were merged into them, also by way of others, each with whose it is.
    A query, and one more for each step from record to record."""
    found = {key: key for key in players}
    layer = set(found)
    while layer:
        merged = Player.objects.filter(merged_into__in=layer).exclude(pk__in=found).order_by("number")
        new = {key: found[kept] for kept, key in merged.values_list("merged_into__pk", "pk")}
        found |= new
        layer = set(new)
    return found


def own_records(player: Player) -> list[Player]:
    """The person's record, and those of `records_of` behind it."""
    keys = list(records_of([player.pk]))
    people = Player.objects.in_bulk(keys)
    return [people[key] for key in keys]


def players_like(name: str) -> list[Player]:
    """At most three players whose name has the same words in any order, script or case: what a mistyped name may have
    meant."""
    words = words_of(name)
    if not words:
        return []
    return list(Player.objects.filter(named(words), merged_into=None).order_by("number")[:3])


def players_by_name(names: Iterable[str]) -> dict[str, list[Player]]:
    """Players whose name is exactly one of those, by name; namesakes stand together."""
    found: dict[str, list[Player]] = {}
    for player in _called(names, Player.objects.filter(merged_into=None)):
        found.setdefault(player.name, []).append(player)
    return found


def players_merged_away(names: Iterable[str]) -> dict[str, list[Player]]:
    """Who the people are now whose record of that name was merged into another's: a file may still call them so."""
    found: dict[str, list[Player]] = {}
    merged = Player.objects.filter(merged_into__isnull=False).select_related("merged_into__merged_into")
    for row in _called(names, merged):
        if row.kept not in found.setdefault(row.name, []):
            found[row.name].append(row.kept)
    return found


def _called(names: Iterable[str], players: QuerySet[Player]) -> Iterator[Player]:
    """Those of the players who have one of these names; one query for every 500 names."""
    wanted = list(dict.fromkeys(names))
    for start in range(0, len(wanted), 500):
        yield from players.filter(name__in=wanted[start : start + 500]).order_by("number")


def with_names(sentence: str) -> str:
    """A sentence for officers: services write "#7", since what they say may be logged; here the name stands beside it.
    A number in brackets has its name already. One query, none where no number stands in it."""
    numbers = {int(text) for text in _NUMBER.findall(sentence)}
    if not numbers:
        return sentence
    names = {player.number: shown_name(player, OFFICER) for player in Player.objects.filter(number__in=numbers)}
    return _NUMBER.sub(lambda found: f"{found[0]} {names.get(int(found[1]), '')}".rstrip(), sentence)
