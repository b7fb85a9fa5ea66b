"""Last year's event once more: settings, officers and people come along, rounds and results do not."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of
from tests.tournaments.entries.entry_cases import club_and_list, events
from tests.tournaments.swiss_events import make_swiss, play_rounds, rate
from tournaments.entries.services.prohibited import prohibit
from tournaments.events.services.copying import YEAR, copy_event, next_year, what_is_copied
from tournaments.events.services.events import EDITIONS, RULES, open_event, update_tournament
from tournaments.models import Entry, Game, ProhibitedPair, Round, Stage, Tournament

pytestmark = pytest.mark.django_db
NEXT = date(2027, 1, 4)


def at(source: Tournament) -> str:
    return reverse("admin:tournaments_tournament_copy", args=[source.pk])


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def swiss(standard: RatingList) -> Stage:
    """A Swiss of seven rounds under way, two of its people kept apart."""
    stage = make_swiss(factory.make_players(6), name="Open 2026", rounds=7)
    first, second, *_ = Entry.objects.order_by("number")
    prohibit(stage.tournament, [first, second], by=None)
    play_rounds(stage, 1)
    changes = {
        "place": "Hall",
        "game": "go",
        "ends_on": date(2026, 1, 7),
        "second_reading": "other",
        "tiebreaks": "SB,BH",
    }
    update_tournament(stage.tournament_id, {**changes, "half_byes": 2, "point_system": "classic"}, by=None)
    Tournament.objects.update(correction_hours=3)
    return Stage.objects.select_related("tournament").get()


def copied(source: Tournament, *, by: User | None = None, with_entries: bool = True) -> Tournament:
    return copy_event(source, name="Open 2027", starts_on=NEXT, with_entries=with_entries, by=by)


def apart(event: Tournament) -> set[frozenset[int]]:
    """Who should not meet, as players."""
    pairs = ProhibitedPair.objects.filter(tournament=event).values_list("first__player", "second__player")
    return {frozenset(pair) for pair in pairs}


# --- what comes along -------------------------------------------------------------------------------------------------
def test_every_setting_comes_along(swiss: Stage) -> None:
    other = factory.make_round_robin(factory.first_players(2))
    for stage, pool in ((swiss, "rapid"), (factory.stage_of(other), "blitz")):
        Stage.objects.filter(pk=stage.pk).update(pool=pool)
    source, copy = swiss.tournament, copied(swiss.tournament)
    assert (factory.stage_of(copy).pool, factory.stage_of(other).pool) == ("rapid", "blitz")
    assert Tournament.objects.get(pk=other.pk).correction_hours != source.correction_hours, "other events keep theirs"
    others = {"place", "rated", "pool", "game", "second_reading", "correction_hours", "tier_from"}
    for name in others | set(RULES) - set(EDITIONS):
        assert getattr(copy, name) == getattr(source, name), name
    assert (source.swiss_edition, copy.swiss_edition) == (2025, 2026), "the edition of its own day"
    assert (copy.name, copy.slug, copy.closed) == ("Open 2027", "open-2027", False)
    stage = factory.stage_of(copy)
    assert (stage.pairing_system, stage.settings) == ("dutch", {"rounds": 7})


def test_the_dates_move_together_and_the_same_people_are_kept_apart(swiss: Stage) -> None:
    other = factory.make_round_robin(factory.first_players(4), name="Other")
    prohibit(other, list(Entry.objects.filter(tournament=other, number__gt=2)), by=None)
    copy = copied(swiss.tournament)
    assert (copy.starts_on, copy.ends_on) == (NEXT, date(2027, 1, 6))
    copy = copy_event(swiss.tournament, name="Open", starts_on=None, with_entries=False, by=None)
    assert (copy.starts_on, copy.ends_on) == (None, None)
    assert what_is_copied(swiss.tournament).pairs == len(apart(swiss.tournament)) == 1
    assert apart(copied(swiss.tournament)) == apart(swiss.tournament)


@given(st.dates(date(1900, 1, 1), date(2150, 1, 1)))
def test_a_year_later_is_the_same_weekday(day: date) -> None:
    later = next_year(Tournament(name="Open", starts_on=day))
    assert later is not None
    assert later.weekday() == day.weekday()
    assert 363 < (later - day).days < 367


# --- who comes along --------------------------------------------------------------------------------------------------
def test_people_come_with_todays_ratings_and_no_number_round_or_result(swiss: Stage, standard: RatingList) -> None:
    factory.make_round_robin(factory.make_players(2), name="Other")
    player, games = Player.objects.order_by("number")[0], Game.objects.count()
    assert Entry.objects.get(tournament=swiss.tournament, player=player).rating is None
    rate(standard, [player], 2100)
    copy = copied(swiss.tournament)
    entry = Entry.objects.get(tournament=copy, player=player)
    assert (entry.rating or 0) > 2000
    assert (entry.number, copy.entries.count(), Game.objects.count()) == (None, 6, games)
    assert not Round.objects.filter(stage__tournament=copy).exists()
    assert not copied(swiss.tournament, with_entries=False).entries.exists()


def test_whoever_left_the_club_is_left_out_and_told(swiss: Stage) -> None:
    gone = Player.objects.order_by("number")[2]
    Player.objects.filter(pk=gone.pk).update(active=False)
    taken = what_is_copied(swiss.tournament)
    assert taken.left_out == (gone,)
    assert taken.pairs == 1
    Entry.objects.filter(tournament=swiss.tournament, player=taken.players[0]).update(number=None)
    assert what_is_copied(swiss.tournament).players == (*taken.players[1:], taken.players[0]), "no number: last"
    assert gone.pk not in copied(swiss.tournament).entries.values_list("player", flat=True)
    Player.objects.filter(number=2).update(active=False)
    assert what_is_copied(swiss.tournament).pairs == 0
    merged = Player.objects.get(number=1)
    Player.objects.filter(pk=merged.pk).update(merged_into=gone)
    assert merged in what_is_copied(swiss.tournament).left_out


def test_whoever_has_outgrown_the_tier_is_left_out(swiss: Stage, standard: RatingList) -> None:
    ada = Player.objects.order_by("number")[0]
    rate(standard, [ada], 2100)
    Tournament.objects.update(tier_below=1900)
    source = Tournament.objects.get()
    taken = what_is_copied(source)
    assert taken.outgrown == (ada,)
    assert taken.left_out == ()
    assert taken.pairs == 0, "the pair was hers"
    entered = copied(source).entries.values_list("player", flat=True)
    assert set(entered) == set(Player.objects.exclude(pk=ada.pk).values_list("pk", flat=True))


# --- who runs it ------------------------------------------------------------------------------------------------------
def test_officers_come_along_with_whoever_copies_unless_nobody_is_named(swiss: Stage) -> None:
    assert not copied(swiss.tournament, by=factory.make_arbiter()).officers.exists()
    old, gone, new = (factory.make_arbiter(name) for name in ("old", "gone", "new"))
    swiss.tournament.officers.set([old, gone])
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert set(copied(swiss.tournament, by=new).officers.all()) == {old, new}
    assert set(copied(swiss.tournament, by=factory.make_administrator()).officers.all()) == {old}


# --- the trail, and what cannot be ------------------------------------------------------------------------------------
def test_the_trail_says_what_it_was_copied_from(swiss: Stage) -> None:
    by = factory.make_arbiter()
    copy = copied(swiss.tournament, by=by)
    (event,) = events("tournament.copied")
    assert (event.subject_key, event.actor, event.after) == (copy.pk, by, {"from": swiss.tournament_id, "entries": 6})


def test_every_format_can_be_copied(standard: RatingList) -> None:
    players = factory.make_players(4)
    for source in (factory.make_round_robin(players, cycles=2), factory.make_knockout(players, games=2)):
        was, stage = factory.stage_of(source), factory.stage_of(copied(source))
        assert (stage.pairing_system, stage.settings) == (was.pairing_system, was.settings)


# --- the page ---------------------------------------------------------------------------------------------------------
def test_the_latest_events_are_offered_to_be_copied(
    desk: Client, swiss: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.events.admin.new_event.MOST_RECENT", 2)
    stream = open_event("Evenings", pool="standard", by=None).tournament
    Tournament.objects.filter(pk=stream.pk).update(starts_on=NEXT)
    for day in (NEXT, date(2025, 1, 6)):
        factory.make_round_robin(factory.first_players(2), name=str(day), first_day=day)
    recent = desk.get(reverse("admin:tournaments_tournament_new")).context["recent"]
    assert [event.name for event in recent] == [str(NEXT), "Open 2026"]


def test_the_page_shows_what_is_taken_over_and_writes_nothing(desk: Client, swiss: Stage) -> None:
    Player.objects.filter(name="Cleo Costa").update(active=False)
    html = desk.get(at(swiss.tournament)).content.decode()
    for words in ("No longer active, left out:", "Cleo Costa", "1 pair kept apart", "every arbiter", "SB,BH"):
        assert words in html
    form = fields_of(html)
    assert (form["name"], form["starts_on"]) == ("Open 2027", (factory.MONDAY + YEAR).isoformat())
    assert Tournament.objects.count() == 1


def test_it_makes_the_event_and_leads_to_it_and_what_cannot_be_read_comes_back(desk: Client, swiss: Stage) -> None:
    form = fields_of(desk.get(at(swiss.tournament)).content.decode())
    for said in ({"name": ""}, {"name": "x" * 101}, {"starts_on": "soon"}, {"starts_on": "0001-01-01"}):
        assert desk.post(at(swiss.tournament), form | said).status_code == 200, said
    assert Tournament.objects.count() == 1
    answer = desk.post(at(swiss.tournament), form | {"with_entries": "on"}, follow=True)
    assert "“Open 2027” is made." in answer.content.decode()
    assert Tournament.objects.get(slug="open-2027").entries.count() == 6


def test_the_page_names_whoever_has_outgrown_the_tier(desk: Client, swiss: Stage, standard: RatingList) -> None:
    rate(standard, [Player.objects.get(name="Ada Alvarez")], 2100)
    Tournament.objects.update(tier_below=1900)
    html = desk.get(at(swiss.tournament)).content.decode()
    assert "left out: Ada Alvarez" in " ".join(html.split())
    assert desk.post(at(swiss.tournament), fields_of(html) | {"with_entries": "on"}).status_code == 302
    assert not Entry.objects.filter(tournament=Tournament.objects.latest("pk"), player__name="Ada Alvarez").exists()


def test_a_stream_says_that_there_is_nothing_to_copy(desk: Client, standard: RatingList) -> None:
    answer = desk.get(at(open_event("Evenings", pool="standard", by=None).tournament))
    assert answer.status_code == 409
    assert "nothing to copy" in answer.content.decode()


def test_an_event_of_others_is_copied_by_those_who_run_it(desk: Client, swiss: Stage) -> None:
    new = reverse("admin:tournaments_tournament_new")
    assert at(swiss.tournament) in desk.get(new).content.decode()
    swiss.tournament.officers.set([factory.make_arbiter("other")])
    assert at(swiss.tournament) not in desk.get(new).content.decode()
    assert desk.get(at(swiss.tournament)).status_code == 403
    assert desk.post(at(swiss.tournament), {"name": "Mine"}).status_code == 403
    assert Tournament.objects.count() == 1
