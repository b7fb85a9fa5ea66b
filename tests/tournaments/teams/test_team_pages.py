"""What a member sees of a team event: the table, matches, teams, players, calendars, leagues."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.club.services import update_club
from players.models import Player
from ratings.models import RatingList
from tests.factory import MONDAY, make_players, make_round_robin, today
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tournaments.event_list.selectors import State
from tournaments.event_pages.selectors.feeds import recent_news
from tournaments.models import Game, TeamMatch, TeamPlayer, Tournament
from tournaments.presence.services import report_absence
from tournaments.results.services.footnotes import note_result
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.matches import has_score
from tournaments.teams.services.events import create_league
from tournaments.teams.services.line_ups import hand_in
from tournaments.teams.services.matches import Ruling, penalise, plan_match, rule_on_match, set_absent
from tournaments.teams.services.rounds import add_round

pytestmark = pytest.mark.usefixtures("event")
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
CountQueries = Callable[[int], AbstractContextManager[object]]
EVENT = "/tournaments/team-league/"
PAGES = ("", "standings/", "crosstable/", "matches/", "rounds/1/", "teams/", "teams/1/", "players/")
NOT_THERE = ("rounds/99/", "matches/1/99/", "matches/99/1/", "teams/99/", "teams/99/calendar.ics")
OTHERS = (
    "entries/",
    "entries/1/",
    "statistics/",
    "files/",
    "calendar/",
    "progress/",
    "bracket/",
    "forecast/",
    "tv/",
    "print/",
    "absent/",
)


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    return make_team_event(promoted=1, relegated=1)


def address_of(match: TeamMatch) -> str:
    return reverse("tournaments:match", args=["team-league", match.round.number, match.number])


def test_every_page_opens_before_during_and_after(event: Tournament, client: Client) -> None:
    assert all(text_of(client, EVENT + page) for page in PAGES)
    for days, state in ((1, State.COMING), (0, State.RUNNING)):
        Tournament.objects.update(starts_on=today() + timedelta(days=days))
        assert client.get(EVENT).context["state"] == state
    play(match_between(event, "Anchor", "Delta"), [WIN, DRAW])
    assert all(text_of(client, EVENT + page) for page in PAGES)
    assert {client.get(EVENT + page).status_code for page in OTHERS} <= {200, 302, 404}, "addresses of other events"
    assert {client.get(EVENT + page).status_code for page in NOT_THERE} == {404}
    Tournament.objects.update(closed=True)
    assert all(text_of(client, EVENT + page) for page in PAGES)


# --- the table ----------------------------------------------------------------------------------------------------
def test_the_table_has_points_penalties_with_reasons_and_who_goes_up(
    event: Tournament, match: TeamMatch, client: Client
) -> None:
    play(match, [WIN, DRAW])
    penalise(team(event, "Bridge").pk, by=None, reason="Late card", match_points=-1)
    page = text_of(client, EVENT + "standings/")
    assert page.index(match.home.name) < page.index("Late card")
    assert "match points: −½: Late card (" in page
    penalise(team(event, "Castle").pk, by=None, reason="Empty board", game_points=-2)
    assert "game points: −1: Empty board (" in text_of(client, EVENT + "standings/")
    assert ", goes up" in page
    assert ", goes down" in page
    assert f"{match.home.name} leads: match points 2, game points 1½." in page


def test_tables_lead_to_the_matches_and_to_a_team_with_its_tiebreaks_and_everybodys_record(
    match: TeamMatch, client: Client
) -> None:
    """Board count: 1 × 1 and 2 × ½."""
    play(match, [WIN, DRAW])
    crosstable = text_of(client, EVENT + "crosstable/")
    for score in ("1½ : ½", "½ : 1½"):
        assert f'href="{address_of(match)}">{score}</a>' in crosstable
    address = f"{EVENT}teams/{match.home.number}/"
    assert f'href="{address}#bc"' in text_of(client, EVENT + "standings/")
    page = text_of(client, address)
    for words in ("1 × 1 =</span> 1", "2 × ½ =</span> 1", "Sum: 2"):
        assert words in page.partition('id="bc"')[2]
    for words in ("board 1: 1 of 1", "board 2: ½ of 1", "Next match:"):
        assert words in page


# --- matches ------------------------------------------------------------------------------------------------------
def test_nobody_sees_a_line_up_before_both_are_in(match: TeamMatch, client: Client) -> None:
    home = match.home.players.select_related("entry__player").order_by("place")
    hand_in(match.pk, match.home_id, [row.pk for row in home[:2]], by=None)
    page = text_of(client, address_of(match))
    assert "Line-ups are not in yet." in page
    assert "One line-up is in" in page
    assert not [row for row in home if row.entry.player.name in page]
    play(match, [])
    assert home[0].entry.player.name in text_of(client, address_of(match))


def test_a_board_without_anybody_on_one_side_says_so(match: TeamMatch, client: Client) -> None:
    first = TeamPlayer.objects.filter(team=match.home_id).order_by("place")[0]
    hand_in(match.pk, first.team_id, [first.pk], by=None)
    play(match, [])
    page = text_of(client, address_of(match))
    assert '<span class="alt">nobody</span>' in page
    play(match, [Result.ADJOURNED])
    assert '<span class="alt">adjourned</span>' in text_of(client, address_of(match))


def test_the_running_score_is_the_sum_of_the_boards_in_the_hall_too(match: TeamMatch, client: Client) -> None:
    play(match, [WIN])
    for address, score in ((address_of(match), "<dd>1 : 0</dd>"), (EVENT + "tv/", "<b>1 : 0</b>")):
        page = text_of(client, address)
        assert score in page
        assert "being played" in page
    assert "1 : 0" in text_of(client, EVENT + "matches/")
    assert match.home.name in text_of(client, EVENT + "tv/?screen=2").partition("Table")[2]


def test_a_match_nobody_began_has_no_score(match: TeamMatch, client: Client) -> None:
    plan_match(match.pk, None, by=None)
    page = text_of(client, address_of(match))
    assert "0 : 0" not in page
    assert "Postponed, no new day yet · it was Mon 5 Jan" in page
    plan_match(match.pk, MONDAY + timedelta(days=9), by=None)
    assert "postponed from Mon 5 Jan" in text_of(client, EVENT + "matches/")
    rule_on_match(match.pk, Ruling(2, 2, "Both agreed"), by=None)
    assert [has_score(one) for one in team_facts(match.round.stage.tournament).matches if one.decided] == [False]


def test_a_ruling_and_an_absent_team_are_told_in_words(event: Tournament, client: Client) -> None:
    match, other = match_between(event, "Anchor", "Delta"), match_between(event, "Bridge", "Castle")
    play(match, [WIN, WIN])
    rule_on_match(match.pk, Ruling(0, 4, "A player of another club"), by=None)
    page = text_of(client, address_of(match))
    assert "A player of another club" in page
    assert "0 : 2" in page
    rule_on_match(match.pk, Ruling(None, None, "He sat twice", (1, 3)), by=None)
    words = "awarded by the arbiter, ½ : 1½ game points and 0 : 2 match points. He sat twice"
    assert words in text_of(client, address_of(match))
    assert f"<bdi>Delta</bdi></a>: {words}" in text_of(client, EVENT + "standings/"), "a footnote of the table"
    set_absent(other.pk, "away", by=None, reason="did-not-come")
    assert "The guests did not come" in text_of(client, address_of(other))


def test_a_change_is_explained_only_of_whoever_is_shown_by_name(match: TeamMatch, client: Client) -> None:
    play(match, [WIN])
    first = TeamPlayer.objects.filter(place=1).select_related("entry__player")
    home, away = (first.get(team=key).entry.player for key in (match.home_id, match.away_id))
    for explained in ([home], [away], []):
        numbers = re.findall(r"/why/[0-9]+/([0-9]+)/", client.get(address_of(match)).text)
        assert numbers == [str(player.number) for player in explained]
        Player.objects.filter(pk__in=[player.pk for player in explained]).update(visibility="hidden")


def test_a_note_on_a_board_has_a_mark_only_while_there_is_a_result(match: TeamMatch, client: Client) -> None:
    play(match, [WIN, DRAW])
    game = Game.objects.filter(pairing__match=match).order_by("pairing__board")[0]
    note_result(game=game.pk, text="After an appeal", seen="", by=None, reason="appeal")
    marks = []
    for result in (DRAW, Result.OPEN):
        correct_result(game=game.pk, result=result, by=None)
        page = client.get(address_of(match)).text
        marks.append(("After an appeal" in page, page.count("<sup>")))
    assert marks == [(True, 2), (False, 0)]


def test_matches_of_a_team_or_a_day_alone(event: Tournament, client: Client) -> None:
    one = team(event, "Anchor").number
    assert text_of(client, f"{EVENT}matches/?team={one}").count('class="score"') == 3
    assert text_of(client, f"{EVENT}matches/?day={MONDAY}").count('class="score"') == 2
    assert text_of(client, f"{EVENT}matches/?team={one}&day={MONDAY}").count('class="score"') == 1
    assert text_of(client, f"{EVENT}matches/?team=99&day=never").count('class="score"') == 6


def test_members_read_who_will_miss_the_next_matches(event: Tournament, client: Client) -> None:
    row = team(event, "Anchor").players.select_related("entry__player").order_by("place")[0]
    report_absence(row.entry_id, 1, by=None)
    assert "Who is missing" not in text_of(client, EVENT + "matches/")
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})
    missing = text_of(client, EVENT + "matches/").partition("Who is missing")[2]
    assert row.entry.player.name in missing


# --- teams, players, calendars, leagues ---------------------------------------------------------------------------
@pytest.mark.extended
def test_the_best_by_board_need_half_of_the_rounds(event: Tournament, client: Client) -> None:
    for row in TeamMatch.objects.filter(round__stage__tournament=event).order_by("round__number")[:6]:
        play(row, [WIN, DRAW], on=row.played_on or MONDAY)
    page = text_of(client, EVENT + "players/")
    assert "with at least 2 games" in page
    assert page.index("Board 1") < page.index("Board 2") < page.index("Everybody who played")


def test_a_calendar_keeps_a_matchs_identity_and_cancels_a_postponed_one(match: TeamMatch, client: Client) -> None:
    address = f"{EVENT}teams/{match.home.number}/calendar.ics"
    plan_match(match.pk, date(2026, 2, 2), by=None)
    moved = calendar_entry(client, address, match)
    assert "SEQUENCE:1" in moved
    assert "DTSTART;VALUE=DATE:20260202" in moved
    plan_match(match.pk, None, by=None)
    cancelled = calendar_entry(client, address, match)
    assert "SEQUENCE:2" in cancelled
    assert "STATUS:CANCELLED" in cancelled
    assert client.get(address).text.count("BEGIN:VEVENT") == 3
    assert client.get(EVENT + "calendar.ics").text.count("BEGIN:VEVENT") == 6
    TeamMatch.objects.filter(pk=match.pk).update(first_planned=None)
    assert client.get(EVENT + "calendar.ics").text.count("BEGIN:VEVENT") == 5, "it never had a day"


def test_the_clubs_calendar_has_the_matches_to_come_and_those_without_a_day(event: Tournament, client: Client) -> None:
    first, second, *_past = TeamMatch.objects.order_by("pk")
    plan_match(first.pk, today(), by=None)
    plan_match(second.pk, None, by=None)
    listed = re.findall(r"team-match\.(\d+)@", client.get("/tournaments/calendar.ics").text)
    assert sorted(map(int, listed)) == [first.pk, second.pk]


def calendar_entry(client: Client, address: str, match: TeamMatch) -> str:
    entries = client.get(address).text.split("BEGIN:VEVENT")
    return next(entry for entry in entries if f"team-match.{match.pk}@" in entry)


def test_a_league_shows_its_latest_season_and_leads_to_the_others(standard: RatingList, client: Client) -> None:
    league = create_league("City League", by=None)
    for season, days in (("2025", 0), ("2026", 300)):
        event = make_team_event(2, league_id=league.pk, season=season)
        Tournament.objects.filter(pk=event.pk).update(
            name=f"Division {season}", starts_on=MONDAY + timedelta(days=days)
        )
    page = text_of(client, "/leagues/city-league/")
    assert "Division 2026" in page
    assert "Division 2025" not in page
    assert "Division 2025" in text_of(client, "/leagues/city-league/?season=2025")
    assert client.get("/leagues/none/").status_code == 404


# --- what it costs ------------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize("teams", [4, 6])
def test_pages_take_as_many_queries_for_many_teams(
    client: Client, django_assert_num_queries: CountQueries, teams: int
) -> None:
    event = make_team_event(teams)
    for row in TeamMatch.objects.filter(round__stage__tournament=event, away__isnull=False)[:teams]:
        play(row, [WIN, DRAW])
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})  # members' pages are not kept
    pages = {"standings/": 13, "crosstable/": 13, "matches/": 15, "rounds/1/": 15, "teams/1/": 15, "players/": 14}
    for page, queries in pages.items():
        with django_assert_num_queries(queries):
            assert client.get(event.get_absolute_url() + page).status_code == 200, page


# --- elsewhere on the site ----------------------------------------------------------------------------------------
def test_files_and_programs_read_what_the_pages_show(match: TeamMatch, client: Client) -> None:
    play(match, [WIN])
    row = next(row for row in rows(client, "matches") if row["round"] == 1 and row["home"] == match.home.name)
    assert (row["state"], row["home_game_points"], row["home_match_points"]) == ("playing", 1, None)
    assert len(rows(client, "teams")) == 12
    TeamMatch.objects.filter(pk=match.pk).update(starts_at=time(19, 30))
    record_result(game=Game.objects.get(pairing__match=match, result="").pk, result=DRAW, played_on=MONDAY, by=None)
    row = next(row for row in rows(client, "matches") if row["round"] == 1 and row["home"] == match.home.name)
    assert (row["time"], row["home_match_points"], row["away_match_points"]) == ("19:30", 2, 0)
    for name in ("standings", "matches", "teams"):
        lines = client.get(f"{EVENT}{name}.csv").text.splitlines()
        assert lines[0].split(",") == list(rows(client, name)[0])
        assert len(lines) == len(rows(client, name)) + 1
        assert client.get(f"{EVENT}{name}.xlsx").status_code == 200


def rows(client: Client, name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get(f"/api/v1{EVENT}{name}/").json()["rows"]
    return found


def test_other_events_have_no_files_of_teams(standard: RatingList, client: Client) -> None:
    make_round_robin(make_players(4))
    assert client.get("/tournaments/winter-cup/matches.csv").status_code == 404
    assert client.get("/api/v1/tournaments/winter-cup/teams/").status_code == 404
    for page in ("matches/", "matches/1/1/", "teams/", "teams/1/", "players/", "teams/1/calendar.ics"):
        assert client.get(f"/tournaments/winter-cup/{page}").status_code == 404, page


def test_lists_of_events_name_the_team_that_leads(match: TeamMatch, client: Client) -> None:
    play(match, [WIN, WIN])
    assert f"<bdi>{match.home.name}</bdi>" in text_of(client, "/tournaments/")


def test_the_front_page_has_the_matches_of_today(event: Tournament, client: Client) -> None:
    assert "Matches today" not in text_of(client, "/")
    match = match_between(event, "Anchor", "Delta")
    plan_match(match.pk, today(), by=None)
    assert address_of(match) in text_of(client, "/").partition("Matches today")[2]


def test_a_player_has_a_record_for_every_team_and_a_feed_tells_the_score(match: TeamMatch, client: Client) -> None:
    play(match, [WIN, DRAW])
    player = match.home.players.select_related("entry__player").order_by("place")[0].entry.player
    record = text_of(client, player.get_absolute_url()).partition("For teams")[2]
    assert match.home.name in record
    assert "1 – 0 – 0" in record
    assert f"{match.home.name} 1½ : ½ {match.away.name}, finished" in client.get(EVENT + "results.atom").text
    assert [[shown.round.number for _facts, shown in news.matches] for news in recent_news()] == [[1, 1]]


def test_a_board_won_by_default_is_no_game_of_anybodys_record(match: TeamMatch, client: Client) -> None:
    home, away = (list(side.players.order_by("place")) for side in (match.home, match.away))
    hand_in(match.pk, match.away_id, [away[0].pk, None], by=None)
    play(match, [WIN])
    page = text_of(client, f"{EVENT}teams/{match.home.number}/")
    assert page.count("and 1 win by default") == 1
    assert "board 1: 1 of 1" in page
    assert "board 2:" not in page
    record = text_of(client, home[1].entry.player.get_absolute_url()).partition("For teams")[2]
    assert "and 1 win by default" in record
    assert "0 – 0 – 0" in record
    Game.objects.filter(pairing__match=match).update(result=Result.WHITE_FORFEITS)
    assert text_of(client, f"{EVENT}teams/{match.away.number}/").count("and 1 win by default") == 1
    for row, won in ((home[0], False), (away[0], True)):
        record = text_of(client, row.entry.player.get_absolute_url()).partition("For teams")[2]
        assert ("and 1 win by default" in record) == won, "nor a forfeited game"


@pytest.mark.parametrize("page", ["entries/", "entries/1/", "statistics/", "files/"])
def test_pages_about_people_name_no_player_as_leader(event: Tournament, client: Client, page: str) -> None:
    play(match_between(event, "Anchor", "Delta"), [WIN, WIN])
    text = text_of(client, EVENT + page)
    assert " leads with " not in text
    assert "How the tie-breaks come about" not in text


def test_the_list_of_events_leads_to_leagues(standard: RatingList, client: Client) -> None:
    create_league("City League", by=None)
    assert 'href="/leagues/city-league/"' in text_of(client, "/tournaments/")


def test_leagues_and_lists_take_as_many_queries_for_many_divisions(
    standard: RatingList, client: Client, django_assert_num_queries: CountQueries
) -> None:
    league = create_league("City League", by=None)
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})
    for division in (1, 2):
        make_team_event(2, league_id=league.pk, season="2026", division=division)
        play(TeamMatch.objects.latest("pk"), [WIN, DRAW])
        plan_match(TeamMatch.objects.latest("pk").pk, today(), by=None)
        for page, queries in (("/leagues/city-league/", 14), ("/tournaments/", 15), ("/tournaments/calendar.ics", 13)):
            with django_assert_num_queries(queries):
                assert client.get(page).status_code == 200


def test_a_knockout_has_rounds_and_no_table(standard: RatingList, client: Client) -> None:
    event = make_team_event(3, fixtures=False, format="team-knockout")
    address = event.get_absolute_url()
    teams = list(event.teams.order_by("number"))
    add_round(event.pk, [(teams[0], teams[1]), (teams[2], None)], by=None, day=MONDAY)
    play(match_between(event, teams[0].name, teams[1].name), [WIN, WIN])
    for page in PAGES:
        text = text_of(client, address + page)
        assert " leads: " not in text
        assert f'href="{address}standings/"' not in text or page == "standings/"
    assert "No opponent in this round" in text_of(client, address + "rounds/1/")
    assert [client.get(f"{address}matches/1/{number}/").status_code for number in (1, 2)] == [200, 404], "a bye is none"


@pytest.mark.extended
@pytest.mark.parametrize("page", ["", "standings/", "matches/", "matches/1/1/", "rounds/1/"])
def test_pages_follow_matches_while_they_are_played(event: Tournament, client: Client, page: str) -> None:
    assert "data-every" not in text_of(client, EVENT + page)
    match = TeamMatch.objects.get(round__stage__tournament=event, round__number=1, number=1)
    play(match, [WIN])
    assert "data-every" in text_of(client, EVENT + page)
    parts = client.get(f"{EVENT}{page}?part=live")
    assert "<html" not in parts.text
    assert 'id="live"' in parts.text
    again = client.get(f"{EVENT}{page}?part=live", headers={"If-None-Match": parts.headers["ETag"]})
    assert again.status_code == 304
