"""The arbiter's screen for tables, and where members see them."""

import re
from datetime import date
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.lists.services import create_list
from ratings.models import ContestEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out
from tests.tournaments.contests.contest_cases import DAY, play, sides, table
from tournaments.contests.selectors import contests_of, partners_of
from tournaments.contests.services import check_scores, insert_contest
from tournaments.models import Contest, Tournament

pytestmark = pytest.mark.django_db


def page_of(event: Tournament) -> str:
    return reverse("admin:tournaments_tournament_tables", args=[event.pk])


def typed(*sides: str, places: str = "", day: date = DAY, **more: str) -> dict[str, str]:
    more = {"revision": "0", **more}
    lines = {f"side-{number}": text for number, text in enumerate(sides, start=1)}
    return {"played_on": day.isoformat(), "places": places, **lines, **more}


def shown(page: HttpResponse) -> str:
    return unescape(page.content.decode())


def in_short(contest: Contest) -> list[tuple[int, list[int]]]:
    sides = contest.sides.order_by("line").prefetch_related("members__player")
    return [(side.place, sorted(member.player.number for member in side.members.all())) for side in sides]


def test_a_table_is_typed_on_one_screen(tables: Tournament, arbiter: Client) -> None:
    sent = typed("Ada Alvarez + bo brandt", "#3*0.5+#4", "Eva Engel", places="2 1 2")
    assert arbiter.post(page_of(tables), sent).status_code == 302
    made = Contest.objects.get()
    assert in_short(made) == [(2, [1, 2]), (1, [3, 4]), (2, [5])]
    assert dict(made.members.values_list("player__number", "weight"))[3] == 0.5
    assert PlayerRating.objects.filter(rating_list__slug="tables").count() == 5
    Player.objects.filter(number=2).update(active=False)
    page = arbiter.get(page_of(tables))
    assert "Dag Dahl" in shown(page)
    assert "#2" not in dict(page.context["suggestions"]), "whoever does not play any more"


@pytest.mark.parametrize(
    ("low_wins", "scores", "places", "expected"),
    [
        (False, ("10", "30", "20,5"), "", [3, 1, 2]),
        (True, ("10", "30", "20.5"), "", [1, 3, 2]),
        (False, ("10", "30", "30"), "", [3, 1, 1]),
        (False, ("10", "30", "30"), "3 1 2", [3, 1, 2]),
    ],
)
def test_places_follow_from_scores(
    tables: Tournament, arbiter: Client, low_wins: bool, scores: tuple[str, ...], places: str, expected: list[int]
) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points", low_score_wins=low_wins)
    sent = typed("#1", "#2", "#3", places=places, **{f"score-{n}": text for n, text in enumerate(scores, start=1)})
    assert arbiter.post(page_of(tables), sent).status_code == 302
    assert [place for place, _who in in_short(Contest.objects.get())] == expected


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (typed("#1", "#2", "#3"), "Write the places in the order of the lines"),
        (typed("#1", "#2", "#3", places="1 2"), "2 places for 3 sides"),
        (typed("#1", "#2", "#3", places="1 x 2"), "is no place"),
        (typed("#1", "#77", "#3", places="1 2 3"), "Line 2: there is no player #77"),
        (typed("#1", "Nobody Known", "#3", places="1 2 3"), "Line 2:"),
        (typed("#1", "#2*half", "#3", places="1 2 3"), "“half” is no share"),
        (typed("#1", "#2", "#3", **{"score-1": "3", "score-2": "two", "score-3": "1"}), "Line 2: “two” is no score"),
        (typed("#1", "#2", "#3", **{"score-1": "3", "score-2": "1", "score-3": "nan"}), "Line 3: “nan” is no score"),
        (typed("#1", "#2", "#3", **{"score-1": "inf", "score-2": "2", "score-3": "1"}), "Line 1: “inf” is no score"),
        (typed("#1", "#2", "#3", **{"score-1": "1e99", "score-2": "2", "score-3": "1"}), "no number that can be"),
        (typed("#1*nan", "#2", "#3", places="1 2 3"), "at least 0.001 and at most 1"),
        (typed("#1", "+", "#3", places="1 2 3"), "Line 2: this side has nobody"),
        (typed("#1", "", "#77", "#3", places="1 2 3"), "Line 2: there is no player #77"),  # shown again as line 2
        (typed("#1*1e-200", "#2*1e-200", "#3*1e-200", places="1 2 3"), "at least 0.001 and at most 1"),
        (typed("#1", "#2", places="1 2"), "enter it as a game"),
        (typed("#1", "#1+#2", "#3", places="1 2 3"), "stands in the contest twice"),
        (typed("#1", "#2", "#3", places="1 2 5"), "write 1, 2, 3"),
        (typed("#1", "#2", "#3", places="1 2 3", day=date(2200, 1, 1)), "look at the day"),
        (typed(places="1"), "There are 1 places for 0 sides"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    tables: Tournament, arbiter: Client, sent: dict[str, str], sentence: str
) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points")
    page = arbiter.post(page_of(tables), sent)
    assert page.status_code == 409
    assert sentence in shown(page)
    assert all(text in shown(page) for name, text in sent.items() if name.startswith("side"))
    assert not Contest.objects.exists()


def test_a_score_is_a_number_up_to_a_thousand_million(tables: Tournament) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points")
    tables.refresh_from_db()
    for score in ("nan", "inf", "1000000001"):
        with pytest.raises(Refused, match="no number that can be"):
            check_scores(sides(f"1={score}: 1; 2=1: 2; 3=0: 3"), tables)
    check_scores(sides("1=1e9: 1; 2=1: 2; 3=-1e9: 3"), tables)


def test_a_corrected_table_that_is_wrong_is_said_too(tables: Tournament, arbiter: Client) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    address = reverse("admin:tournaments_tournament_table", args=[row.pk])
    for sent, sentence in (
        (typed("#1", "#77", "#3", places="1 2 3"), "Line 2: there is no player #77"),
        (typed("#1", "#2", "#4", places="1 2 3", day=date(2200, 1, 1)), "Nothing is saved yet: look at the day"),
    ):
        assert sentence in shown(arbiter.post(address, sent))
    assert in_short(Contest.objects.get()) == [(1, [1]), (2, [2]), (3, [3])]


def test_the_form_of_a_table_has_scores_and_shares_as_they_are_kept(tables: Tournament, arbiter: Client) -> None:
    Tournament.objects.filter(pk=tables.pk).update(scores="points")
    row = play(tables, "1=1234567.5: 1*0.3333333 2; 2=12: 3; 3=-1: 4")
    page = shown(arbiter.get(reverse("admin:tournaments_tournament_table", args=[row.pk])))
    assert "1234567.5" in page
    assert "#1 *0.3333333 + #2" in page


def test_the_same_table_again_needs_a_tick(tables: Tournament, arbiter: Client) -> None:
    sent = typed("#1", "#2", "#3", places="1 2 3")
    arbiter.post(page_of(tables), sent)
    assert "entered already" in shown(arbiter.post(page_of(tables), sent))
    assert arbiter.post(page_of(tables), {**sent, "again": "on"}).status_code == 302
    assert Contest.objects.count() == 2


def test_a_table_of_an_earlier_day_shows_first_what_it_moves(tables: Tournament, arbiter: Client) -> None:
    play(tables, "1: 1; 2: 2; 3: 3", day=7)
    sent = typed("#4", "#2", "#3", places="1 2 3")
    page = arbiter.post(page_of(tables), sent)
    assert "Enter a table of an earlier day" in shown(page)
    assert Contest.objects.count() == 1
    assert carried_out(arbiter, page).status_code == 302
    assert [row.played_on.day - DAY.day for row in contests_of(tables)] == [7, 0]


def test_a_table_is_corrected_withdrawn_put_back_and_undone(tables: Tournament, arbiter: Client) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    address = reverse("admin:tournaments_tournament_table", args=[row.pk])
    assert "#3" in arbiter.get(address).content.decode()
    sent = typed("#1", "#2", "#5", places="2 1 3")
    page = arbiter.post(address, sent)
    carried_out(arbiter, page)
    assert in_short(Contest.objects.get()) == [(2, [1]), (1, [2]), (3, [5])]
    undo = reverse("admin:tournaments_game_undo", args=[AuditEvent.objects.get(action="contest.corrected").pk])
    page = arbiter.get(undo)
    assert "The table stands as before." in shown(page)
    carried_out(arbiter, page)
    assert in_short(Contest.objects.get()) == [(1, [1]), (2, [2]), (3, [3])]
    page = arbiter.post(address, {"withdraw": "1"})
    carried_out(arbiter, page)
    assert not ContestEntry.objects.exists()
    assert "This table is withdrawn" in shown(arbiter.get(address))


def test_a_table_entered_late_is_withdrawn_again_by_its_undo(tables: Tournament, arbiter: Client) -> None:
    insert_contest(table(tables, "1: 1; 2: 2; 3: 3"), by=None, reason="late-report")
    undo = reverse("admin:tournaments_game_undo", args=[AuditEvent.objects.get(action="contest.inserted").pk])
    tables.officers.add(factory.make_arbiter("own"))
    assert arbiter.get(undo).status_code == 403, "other officers run the event"
    tables.officers.clear()
    page = arbiter.get(undo)
    assert "The table is withdrawn again." in shown(page)
    carried_out(arbiter, page)
    assert Contest.objects.get().withdrawn
    assert arbiter.get(undo).status_code == 404, "it no longer stands so"


def test_members_see_tables_by_day_and_hidden_people_stay_hidden(tables: Tournament, client: Client) -> None:
    play(tables, "1: 1 2; 2: 3 4")
    Player.objects.filter(number=2).update(visibility="hidden")
    page = client.get(tables.get_absolute_url())
    assert "Ada Alvarez" in shown(page)
    assert "Brandt" not in page.content.decode()
    assert list(contests_of(tables)) == [Contest.objects.get()]


def test_a_table_leads_to_the_page_that_says_why_where_a_name_of_it_is_seen(
    tables: Tournament, client: Client, arbiter: Client
) -> None:
    row = play(tables, "1: 1 2; 2: 3 4")
    why = reverse("ratings:why-contest", args=["tables", row.pk])
    assert f'<a href="{why}"' in shown(client.get(tables.get_absolute_url()))
    assert client.get(why).status_code == 200
    RatingList.objects.filter(slug="tables").update(public=False)
    seen = [f'<a href="{why}"' in shown(reader.get(tables.get_absolute_url())) for reader in (client, arbiter)]
    assert seen == [False, True], "a list that is not public is for officers"
    RatingList.objects.filter(slug="tables").update(public=True)
    Player.objects.filter(number__lte=4).update(visibility="hidden")
    assert why not in client.get(tables.get_absolute_url()).content.decode()
    Tournament.objects.filter(pk=tables.pk).update(rated=False)
    ContestEntry.objects.all().delete()
    Player.objects.filter(number__lte=4).update(visibility="public")
    assert why not in client.get(tables.get_absolute_url()).content.decode(), "a table that no list rates"


def test_a_player_s_page_says_second_of_five_with_whom_and_against_whom(tables: Tournament, client: Client) -> None:
    create_list(name="Beside", slug="beside", pool="tables", by=None, system="trueskill")  # rates the same tables
    play(tables, "1: 3 4; 2: 1 2; 2: 5")
    page = shown(client.get(Player.objects.get(number=1).get_absolute_url()))
    assert "2 of 3, shared" in page
    assert "with <a" in page
    assert "against <a" in page
    games = client.get(f"{Player.objects.get(number=1).get_absolute_url()}games/?list=tables")
    assert ("2 of 3, shared" in shown(games), len(games.context["contest_table"].rows)) == (True, 1)
    assert "change num" in shown(games)
    Player.objects.filter(number=1).update(visibility="initials")
    games = client.get(f"{Player.objects.get(number=1).get_absolute_url()}games/?list=tables")
    assert ("2 of 3, shared" in shown(games), "change num" in shown(games)) == (True, False)
    file = client.get(f"{tables.get_absolute_url()}standings.csv").content.decode()
    name = Player.objects.get(number=1).name
    assert (f",1,{name}," in file, ",1," in file) == (False, True), "the file of a series says as little"
    Player.objects.filter(number__in=(2, 3)).update(visibility="hidden")
    page = shown(client.get(Player.objects.get(number=1).get_absolute_url()))
    assert "Brandt" not in page
    assert "Costa" not in page


def test_a_corrected_table_stands_in_the_public_corrections_and_in_the_trail(
    tables: Tournament, arbiter: Client, client: Client
) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    address = reverse("admin:tournaments_tournament_table", args=[row.pk])
    carried_out(arbiter, arbiter.post(address, typed("#1", "#2", "#3", places="2 1 3")))
    page = shown(client.get(reverse("ratings:corrections")))
    assert "1 2 3 → 2 1 3" in page
    assert "a table was corrected" in page
    assert "1 2 3 → 2 1 3" in shown(client.get(reverse("ratings:corrections") + "?player=3"))
    carried_out(arbiter, arbiter.post(address, {"withdraw": "1"}))
    assert "2 1 3 → withdrawn" in shown(client.get(reverse("ratings:corrections")))
    trail = shown(arbiter.get(reverse("admin:tournaments_tournament_trail", args=[tables.pk])))
    assert "table corrected" in trail


def test_the_best_partner_is_whom_the_player_had_the_best_score_with(tables: Tournament, client: Client) -> None:
    for number in range(3):
        play(tables, f"{1 if number else 2}: 1 3; {2 if number else 1}: 2 4", day=3 * number)
        play(tables, "1: 1 2; 2: 3 4", day=3 * number + 1)
        if number > 1:
            play(tables, "1: 1 4; 1: 2 3", day=3 * number + 2)
    for number in (3, 4):
        play(tables, "1: 1 5; 2: 3 6", day=20 + number)
    gone = play(tables, "1: 1 5; 2: 3 6", day=30)
    Contest.objects.filter(pk=gone.pk).update(withdrawn=True)
    ada = Player.objects.get(number=1)
    found = [(each.player.number, each.tally.wins, each.tally.draws, each.tally.losses) for each in partners_of(ada)]
    assert found == [(2, 3, 0, 0), (3, 2, 0, 1), (5, 2, 0, 0), (4, 0, 1, 0)]
    page = re.sub(r"<[^>]+>", "", shown(client.get(ada.get_absolute_url())))
    assert "Best partner: Bo Brandt 3–0–0" in page
    Player.objects.filter(number=2).update(visibility="hidden")
    assert "Best partner: Cleo Costa 2–0–1" in re.sub(r"<[^>]+>", "", shown(client.get(ada.get_absolute_url())))


def test_a_form_that_knows_an_older_table_is_refused(tables: Tournament, arbiter: Client) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    address = reverse("admin:tournaments_tournament_table", args=[row.pk])
    carried_out(arbiter, arbiter.post(address, typed("#1", "#2", "#5", places="2 1 3", revision="0")))
    answer = arbiter.post(address, typed("#1", "#2", "#3", places="1 3 2", revision="0"), follow=True)
    assert "Somebody else changed this table meanwhile" in shown(answer)
    assert in_short(Contest.objects.get()) == [(2, [1]), (1, [2]), (3, [5])]
