"""Rating lists in the admin: settings re-rate, facts go through the service, computed rows are only looked at."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from clubrating.site.lists.admin.actions import in_minutes
from players.models import AuditEvent, Job, Player
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingStep, StartingRating
from ratings.systems import SYSTEMS
from tests import factory
from tests.tournaments.admin_pages import save_shown
from tournaments.corrections.services import jobs
from tournaments.rated_games.selectors.games import count_rated
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(world: None) -> RatingList:
    """A club with a list, four players who met, and its officers."""
    factory.make_club()
    factory.make_list()
    factory.play_all(factory.make_round_robin(factory.make_players(4)), Result.WHITE_WINS)
    factory.make_administrator()
    factory.make_arbiter()
    return RatingList.objects.get()


@pytest.fixture
def office(client: Client, played: RatingList) -> Client:
    client.force_login(User.objects.get(username="admin"))
    return client


def url(page: str, *args: int) -> str:
    return reverse(f"admin:ratings_{page}", args=args)


def list_form(rating_list: RatingList, **data: str) -> dict[str, str]:
    rule = rating_list.rules.get()
    form = {"name": rating_list.name, "provisional_games": "30", "reentry_games": "10", "order": "1"}
    form |= {"public": "on", "primary": "on"}
    rows = {"rules-TOTAL_FORMS": "1", "rules-INITIAL_FORMS": "1", "rules-0-id": str(rule.pk), "rules-0-system": "elo"}
    rows |= {"rules-0-rating_list": str(rating_list.pk), "rules-0-valid_from": "1900-01-01", "rules-0-settings": "{}"}
    rows |= {"tiers-TOTAL_FORMS": "0", "tiers-INITIAL_FORMS": "0"}
    return form | rows | data


NEW = {"pool": "standard", "system": "elo", "provisional_games": "5", "reentry_games": "10", "order": "2"}


def test_a_new_list_is_rated_at_once(office: Client, played: RatingList) -> None:
    form = NEW | {"name": "Second", "slug": "second", "settings": '{"start": 1000}', "public": "on"}
    assert office.post(url("ratinglist_add"), form).status_code == 302
    second = RatingList.objects.get(slug="second")
    assert second.provisional_games == 5
    assert PlayerRating.objects.filter(rating_list=second).count() == 4
    assert check_list(second) == []


def test_settings_the_system_refuses_and_a_second_main_list_are_told(office: Client) -> None:
    form = NEW | {"name": "Bad", "slug": "bad"}
    for settings in ('{"start": 9000}', '{"colour": 1}', "[1]", "{", '{"start": "x"}', "7", '{"margin_cap": 3}'):
        answer = office.post(url("ratinglist_add"), form | {"settings": settings})
        assert answer.status_code == 200, settings
        assert "errorlist" in answer.text, settings
    assert "Another list is the club" in office.post(url("ratinglist_add"), form | {"primary": "on"}).text
    assert RatingList.objects.count() == 1


def test_the_form_says_how_a_win_by_more_counts_more(office: Client) -> None:
    text = office.get(url("ratinglist_add")).text
    assert '<code>{"margin": "log", "margin_unit": 100, "margin_cap": 3}</code>' in text
    assert "The factor on K is 1 up to a margin of margin_unit, and margin_cap at most." in text


@pytest.mark.extended
def test_a_changed_rule_re_rates(office: Client, played: RatingList) -> None:
    form = list_form(played, **{"rules-0-settings": '{"start": 1200}'})
    page = url("ratinglist_change", played.pk)
    shown = office.post(page, form)
    assert len(shown.context["preview"].lists[0].moves) == 4
    assert not AuditEvent.objects.filter(action="list.rules-changed").exists(), "only shown"
    assert office.post(page, form | {"do": "commit", "seen": "x", "reason": "other"}).status_code == 409
    assert save_shown(office, page, form).status_code == 302
    assert max(PlayerRating.objects.values_list("rating", flat=True)) < 1400
    assert check_list(RatingList.objects.get()) == []
    event = AuditEvent.objects.get(action="list.rules-changed")
    assert (event.reason, event.effect["standard"]["games"], event.effect["standard"]["players"]) == ("other", 6, 4)
    assert "the list’s rules were changed" in office.get(reverse("ratings:corrections")).text


def test_a_rule_that_moves_nothing_and_one_from_a_later_day_say_so(office: Client, played: RatingList) -> None:
    page = url("ratinglist_change", played.pk)
    shown = office.post(page, list_form(played, **{"rules-0-settings": '{"start": 1500}'}))
    assert [(row.games, len(row.shown)) for row in shown.context["preview"].lists] == [(6, 0)]
    later = {"rules-TOTAL_FORMS": "2", "rules-1-rating_list": str(played.pk), "rules-1-system": "elo"}
    later |= {"rules-1-valid_from": "2026-01-12", "rules-1-settings": '{"preset": "fide-old"}'}
    shown = office.post(page, list_form(played, **later))
    preview = shown.context["preview"]
    assert (preview.since, preview.behind) == (date(2026, 1, 12), 4), "rules are read by the event’s first day"
    assert preview.lists[0].shown == []


def test_a_long_list_is_shown_from_memory_and_rated_in_the_background(
    office: Client, played: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("corrections.services.corrections", "corrections.services.list_changes"):
        monkeypatch.setattr(f"tournaments.{module}.LONG_TAIL", 5)
    page, form = url("ratinglist_change", played.pk), list_form(played, **{"rules-0-settings": '{"start": 1200}'})
    shown = office.post(page, form)
    assert len(shown.context["preview"].lists[0].moves) == 4
    assert "it will be carried out in the background" in shown.text
    assert not Job.objects.exists()
    assert save_shown(office, page, form).status_code == 302
    assert Job.objects.get().kind == "rebuild-list"
    assert played.rules.get().settings == {"start": 1200}


def test_a_list_as_long_as_is_quick_is_rated_at_once(played: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LONG_TAIL", count_rated("standard"))
    assert jobs.rate_anew(played, by=None) is None
    monkeypatch.setattr(jobs, "LONG_TAIL", count_rated("standard") - 1)
    assert jobs.rate_anew(played, by=None) == Job.objects.get()


def test_another_name_does_not_re_rate_and_another_probation_does(office: Client, played: RatingList) -> None:
    page = url("ratinglist_change", played.pk)
    assert office.post(page, list_form(played, **{"rules-0-DELETE": "on"})).status_code == 200
    assert played.rules.count() == 1, "the last rule stays"
    office.post(page, list_form(played, name="Club list"))
    changed = RatingList.objects.get()
    assert (changed.name, changed.live_generation) == ("Club list", played.live_generation)
    assert not PlayerRating.objects.filter(ranked=True).exists()
    shown = office.post(page, list_form(changed, provisional_games="3"))
    assert len(shown.context["preview"].lists[0].exits_gained) == 4
    assert save_shown(office, page, list_form(changed, provisional_games="3")).status_code == 302
    assert check_list(RatingList.objects.get()) == []
    assert PlayerRating.objects.filter(ranked=True).count() == 4
    event = AuditEvent.objects.filter(action="list.changed").latest("pk")
    assert (event.before, event.after) == ({"provisional_games": 30}, {"provisional_games": 3})


def start_form(played: RatingList, **data: str) -> dict[str, str]:
    form = {"rating_list": str(played.pk), "on": "2025-01-01", "rating": "1700", "games": "40", "source": "club"}
    return form | data


def test_a_starting_rating_by_name_and_by_number(office: Client, played: RatingList) -> None:
    beside = factory.make_list("rapid", pool="rapid", primary=False).starting_ratings
    beside.create(player=Player.objects.get(number=1), on="2025-01-01", rating=1600, games=5)
    for who in ("Ada Alvarez", "#2"):
        assert save_shown(office, url("startingrating_add"), start_form(played, who=who)).status_code == 302
    entered = AuditEvent.objects.filter(action="starting-rating.entered").first()
    assert entered is not None
    assert (entered.reason, entered.effect["standard"]["games"]) == ("other", 6)
    assert played.starting_ratings.count() == 2
    assert check_list(played) == []
    assert "nobody is called “Nobody”" in office.post(url("startingrating_add"), start_form(played, who="Nobody")).text


def test_a_starting_rating_is_changed_not_by_a_stale_form_and_taken_back(office: Client, played: RatingList) -> None:
    save_shown(office, url("startingrating_add"), start_form(played, who="#1"))
    start = StartingRating.objects.get()
    page = url("startingrating_change", start.pk)
    text = office.get(page).text
    assert "Ada Alvarez" in text
    assert 'name="revision" value="0"' in text
    form = {"rating": "1800", "games": "41", "source": "federation"}
    assert save_shown(office, page, {**form, "revision": "0"}).status_code == 302
    assert (
        "Somebody else changed this starting rating meanwhile"
        in office.post(page, {**form, "rating": "1900", "revision": "0"}).text
    )
    start.refresh_from_db()
    assert (start.rating, start.games, start.source) == (1800, 41, "federation")
    assert check_list(played) == []
    assert save_shown(office, page, form).status_code == 302, "a form without a revision is taken"
    assert "errorlist" in office.post(page, {"rating": "9000", "games": "1", "source": "club"}).text
    page = url("startingrating_delete", start.pk)
    assert office.post(page, {"post": "yes"}).context["preview"].lists[0].games == 6
    assert StartingRating.objects.exists(), "what it moves is shown first"
    seen = str(office.get(page).context["preview"].seen)
    assert office.post(page, {"do": "commit", "seen": seen, "reason": "other"}).status_code == 302
    assert not StartingRating.objects.exists()
    assert check_list(played) == []
    event = AuditEvent.objects.get(action="starting-rating.removed")
    assert (event.reason, event.effect["standard"]["games"], event.subject_key) == ("other", 6, start.pk)
    for address in ("", "?player=1"):
        assert "a starting rating was taken back" in Client().get(reverse("ratings:corrections") + address).text


def test_a_start_of_somebody_without_games_is_deleted_as_any_row(office: Client, played: RatingList) -> None:
    newcomer = factory.make_players(1)[0]
    office.post(url("startingrating_add"), start_form(played, who=f"#{newcomer.number}"))
    start = StartingRating.objects.get()
    assert office.post(url("startingrating_delete", start.pk), {"post": "yes"}).status_code == 302
    assert not StartingRating.objects.exists()


def test_a_start_behind_the_games_says_that_they_are_rated_without_it(office: Client, played: RatingList) -> None:
    form = start_form(played, who="#1", on=f"{factory.today()}")
    others = factory.make_list("rapid", pool="rapid", primary=False)
    newcomer, before = factory.make_players(1)[0], {"on": date(2020, 1, 1), "rating": 1600, "games": 5}
    ada, bo = Player.objects.order_by("number")[:2]
    StartingRating.objects.create(rating_list=played, player=bo, **before)
    StartingRating.objects.create(rating_list=others, player=ada, **before)
    warning = "Ada Alvarez (#1): the starting rating 1700 in Standard holds only from"
    assert warning in office.post(url("startingrating_add"), form).text
    StartingRating.objects.create(rating_list=played, player=ada, **before)
    assert warning not in office.post(url("startingrating_add"), form).text, "an earlier one holds before it"
    form["who"] = f"#{newcomer.number}"
    assert office.post(url("startingrating_add"), form).status_code == 302, "nobody has a game to move"


def test_what_is_computed_is_only_looked_at(office: Client, played: RatingList) -> None:
    save_shown(office, url("startingrating_add"), start_form(played, who="#1"))
    for model in (PlayerRating, LedgerEntry, RatingStep):
        name = model._meta.model_name
        row = model.objects.first()
        assert row is not None
        html = office.get(url(f"{name}_changelist"), {"q": "ada"} if model is not RatingStep else {}).content.decode()
        assert "Ada Alvarez" in html
        assert office.get(url(f"{name}_change", row.pk)).status_code == 200
        assert office.post(url(f"{name}_change", row.pk), {"rating": "1"}).status_code == 403
        assert office.get(url(f"{name}_add")).status_code == 403
        assert office.post(url(f"{name}_delete", row.pk), {"post": "yes"}).status_code == 403
        model.objects.filter(pk=row.pk).update(generation=row.generation + 1)
        listed = office.get(url(f"{name}_changelist")).context["cl"].result_count
        assert listed == model.objects.count() - 1, "what is being rated anew is not shown"
        model.objects.filter(pk=row.pk).update(generation=row.generation)
    address = url("ledgerentry_change", LedgerEntry.objects.earliest("pk").pk)
    assert "→" in office.get(address).text
    LedgerEntry.objects.update(white_k=None, black_k=None)
    assert "→" not in office.get(address).text, "what is rated with its period has no K of its own"


def test_a_rebuild_says_what_it_would_rate_and_is_asked_for_and_written_down(
    office: Client, played: RatingList
) -> None:
    form = {"action": "rebuild", "_selected_action": [played.pk]}
    text = office.post(url("ratinglist_changelist"), form).text
    for said in (played.name, f"{count_rated(played.pool)} rated game", "less than a minute"):
        assert said in text
    assert not Job.objects.exists()
    text = office.post(url("ratinglist_changelist"), {**form, "confirmed": "yes"}, follow=True).text
    assert "1 list will be rated anew." in text
    assert Job.objects.get().kind == "rebuild-list"
    assert "Rating list from its beginning" in office.get(reverse("admin:players_job_changelist")).text


def test_a_list_with_games_cannot_be_deleted_and_minutes_are_said(office: Client, played: RatingList) -> None:
    assert office.post(url("ratinglist_delete", played.pk), {"post": "yes"}).status_code == 403
    assert LedgerEntry.objects.exists()
    said = ["less than a minute", "about 2 minutes", "about 17 minutes"]
    assert [in_minutes(games) for games in (0, 60_001, 10**6)] == said


def test_an_arbiter_looks_but_changes_no_rating_settings_and_has_no_rebuild(client: Client, played: RatingList) -> None:
    client.force_login(User.objects.get(username="arbiter"))
    assert client.get(url("ratinglist_changelist")).status_code == 200
    assert client.get(url("ratinglist_change", played.pk)).status_code == 200
    assert client.post(url("ratinglist_change", played.pk), list_form(played, name="Mine")).status_code == 403
    assert client.post(url("ratinglist_add"), {}).status_code == 403
    assert client.post(url("startingrating_add"), {}).status_code == 403
    client.post(url("ratinglist_changelist"), {"action": "rebuild", "_selected_action": [played.pk]})
    assert not Job.objects.exists()


def test_the_lists_of_rows_ask_as_much_for_many_as_for_few(
    office: Client, played: RatingList, django_assert_max_num_queries: object
) -> None:
    for name in ("playerrating", "ledgerentry", "ratingstep", "startingrating", "ratinglist"):
        with django_assert_max_num_queries(12):  # type: ignore[operator]
            office.get(url(f"{name}_changelist"))


def test_anonymous_is_asked_to_sign_in(client: Client, played: RatingList) -> None:
    assert client.get(url("ratinglist_changelist"))["Location"].startswith(reverse("admin:login"))
    client.force_login(User.objects.create_user("member"))
    assert client.get(url("ratinglist_changelist")).status_code == 403


def test_the_form_of_a_rule_says_which_systems_rate_contests_with_sides(office: Client) -> None:
    text = office.get(f"/admin/ratings/ratinglist/{RatingList.objects.get().pk}/change/").text
    able = [each.name for each in SYSTEMS if each.contest_rater(each.read_settings({})) is not None]
    assert f"are rated by {', '.join(able)}; games of two by every one." in text
