"""A knockout at the desk: its format, the bracket drawn, matches entered, ruled on and corrected with what follows."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, hidden_of, url
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.models import Game, Pairing, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.handicap import record_with_stones
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(scope="module", autouse=True)
def four(standard: RatingList) -> Tournament:
    return factory.make_knockout(factory.make_players(4))


@pytest.fixture
def cup(four: Tournament) -> Tournament:
    """A round robin of the same four."""
    return factory.make_round_robin(factory.first_players(4))


def entered(system: str, count: int, **settings: object) -> Tournament:
    new = NewTournament("Cup", pairing_system=system, settings=dict(settings), starts_on=factory.MONDAY)
    tournament = create_tournament(new, by=None)
    people = [*factory.first_players(4), *factory.make_players(count - 4)]
    number_in_order(tournament.stages.get(), enter_players(tournament, people, by=None), by=None)
    return tournament


# --- the format ---------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_every_format_can_be_made_from_the_desk(desk: Client) -> None:
    of_rounds = ("once", "twice", "knockout", "groups", "stations", "keizer", "scheveningen", "by-hand")
    for play in (*of_rounds, "ladder", "free"):
        fields = {"name": f"Cup {play}", "play": play, "pool": "standard", "rated": "on", "place": ""}
        answer = desk.post(reverse("admin:tournaments_tournament_add"), fields)
        assert answer.status_code == 302, play
        new = Tournament.objects.get(name=f"Cup {play}")
        assert new.open_ended == (play in ("ladder", "free")), play
        for page in (answer["Location"], url("format", new.pk)):
            assert desk.get(page).status_code == 200, page
        assert Client().get(new.get_absolute_url()).status_code == 200, play


def test_settings_are_saved_and_fixed_once_the_bracket_is_drawn(desk: Client) -> None:
    cup = entered("knockout", 4)
    fields = {"seeding": "given", "pairs": "crossed", "third_place": "on", "games": "2", "extra": "blitz1"}
    html = desk.post(url("format", cup.pk), {**fields, "games": "99", "do": "save"}).content.decode()
    assert "less than or equal to 9" in html, "a setting out of range is told on its field"
    assert cup.stages.get().settings == {}
    desk.post(url("format", cup.pk), {**fields, "first_colour": "upper", "do": "save"})
    stage = cup.stages.get()
    assert stage.settings == {**fields, "third_place": True, "games": 2, "first_colour": "upper"}
    desk.post(url("rounds", cup.pk), {"stage": stage.pk, "days_between": "7"})
    assert Pairing.objects.filter(stage=stage).count() == 4
    answer = desk.post(url("format", cup.pk), {**fields, "first_colour": "seed", "do": "save"})
    stage.refresh_from_db()
    assert stage.settings["first_colour"] == "upper"
    assert answer.status_code in (302, 409)


def test_stages_are_taken_apart_at_the_desk(desk: Client) -> None:
    cup = entered("stations", 8)
    desk.post(url("format", cup.pk), {"do": "form"})
    assert cup.stages.count() == 4
    html = desk.get(url("format", cup.pk)).content.decode()
    assert "The stages are formed: form them anew to change the settings." in html
    assert "delete the rounds first" not in html
    answer = desk.post(url("format", cup.pk), {"do": "requalify", "stage": "0"})
    assert (answer.status_code, "This stage is not there any more." in answer.text) == (409, True)
    desk.post(url("format", cup.pk), {"do": "dissolve"})
    assert cup.stages.count() == 1
    cup.stages.update(pairing_system="")
    assert desk.get(url("format", cup.pk)).status_code == 404, "an event without a format has no page of it"


def test_the_rules_of_an_event_are_changed_on_its_form(desk: Client, four: Tournament) -> None:
    four.refresh_from_db()
    address = reverse("admin:tournaments_tournament_change", args=[four.pk])
    fields = {"name": four.name, "pool": "standard", "rated": "on", "starts_on": "2026-01-05"}
    answer = desk.post(address, {**fields, "point_system": "football", "tiebreaks": "", "tiebreak_edition": "2026"})
    four.refresh_from_db()
    assert answer.status_code == 302
    assert (four.point_system, four.tiebreaks, four.tiebreak_edition) == ("football", "", 2026)
    assert four.leaver_rule == "fide", "what the form did not send stays"
    html = desk.post(address, {**fields, "tiebreaks": "XYZ"}).content.decode()
    assert "There is no tie-break “XYZ”. There are DE, WIN," in html


def test_the_editions_follow_the_first_day_unless_they_were_chosen(desk: Client) -> None:
    editions = {"2026-01-31": (2025, 2023), "2026-02-01": (2026, 2023), "2026-03-01": (2026, 2026)}
    for day, (swiss, tiebreaks) in editions.items():
        fields = {"name": f"Cup of {day}", "play": "once", "pool": "standard", "starts_on": day}
        desk.post(reverse("admin:tournaments_tournament_add"), fields)
        new = Tournament.objects.get(name=f"Cup of {day}")
        assert (new.swiss_edition, new.tiebreak_edition) == (swiss, tiebreaks), day
    fields = {"name": "Cup", "play": "once", "pool": "standard", "starts_on": "2026-05-01"}
    desk.post(reverse("admin:tournaments_tournament_add"), fields)
    made = Tournament.objects.get(name="Cup")
    address = reverse("admin:tournaments_tournament_change", args=[made.pk])
    desk.post(address, {**fields, "swiss_edition": "2025"})
    desk.post(address, {**fields, "starts_on": "2026-02-15", "swiss_edition": "2025", "tiebreak_edition": "2026"})
    made.refresh_from_db()
    assert (made.swiss_edition, made.tiebreak_edition) == (2025, 2023)


# --- matches ------------------------------------------------------------------------------------------------------
def test_the_next_game_of_a_match_stands_on_its_board(desk: Client) -> None:
    cup = factory.make_knockout(factory.first_players(2), games=2)
    match = factory.match_of(cup, 1, 1)
    factory.play_match(match, WIN)
    second = Game.objects.get(pairing=match, number=2)
    html = desk.get(url("results", factory.round_of(cup, 1).pk)).content.decode()
    assert f'name="revision-{second.pk}"' in html
    assert "game 2" in html
    fields = {"board-1": "1/2", f"was-{second.pk}": "", f"revision-{second.pk}": "0", "played_on": "2026-01-05"}
    desk.post(url("results", factory.round_of(cup, 1).pk), fields)
    match.refresh_from_db()
    assert match.advanced is not None


def test_a_walk_over_needs_a_reason_and_a_form_of_now_and_is_taken_back(desk: Client, four: Tournament) -> None:
    match = factory.match_of(four, 1, 1)
    entry = match.seats.get(line=2).entry
    desk.post(url("match", match.pk), {"do": "rule", "knew": "0", "advanced": entry.pk})
    match.refresh_from_db()
    assert match.advanced is None
    answer = desk.post(url("match", match.pk), {"do": "rule", "knew": "99", "advanced": entry.pk, "reason": "other"})
    assert answer.status_code == 409
    assert "meanwhile" in answer.content.decode()
    assert "waits for its players" in desk.get(url("results", factory.round_of(four, 2).pk)).content.decode()
    wish = {"do": "rule", "knew": "0", "advanced": entry.pk, "walk_over": "on", "reason": "other"}
    assert desk.post(url("match", match.pk), wish).status_code == 302
    assert "walk-over" in desk.get(url("match", match.pk)).content.decode()
    assert "decided without a game" in desk.get(url("results", factory.round_of(four, 1).pk)).content.decode()
    desk.post(url("match", match.pk), {"do": "take_back", "knew": entry.pk, "reason": "other"})
    match.refresh_from_db()
    assert (match.advanced, match.ruled) == (None, False)


def test_extra_games_are_added_where_no_plan_makes_them(desk: Client, four: Tournament) -> None:
    match = factory.match_of(four, 1, 1)
    factory.play_match(match, DRAW)
    desk.post(url("match", match.pk), {"do": "extra", "phase": "blitz", "games": "2"})
    games = Game.objects.filter(pairing=match).order_by("number")
    assert [game.phase for game in games] == ["classical", "blitz", "blitz"]


def played_through(cup: Tournament) -> Game:
    game = factory.play_match(factory.match_of(cup, 1, 1), WIN)
    factory.play_match(factory.match_of(cup, 1, 2), WIN)
    factory.play_match(factory.match_of(cup, 2, 1), WIN, on=factory.MONDAY + timedelta(days=7))
    return game


@pytest.mark.parametrize(("way", "words", "left"), [("follow", "is cleared", 0), ("keep", "stays as it is", 1)])
def test_a_correction_that_turns_the_bracket_asks_first(
    desk: Client, four: Tournament, standard: RatingList, way: str, words: str, left: int
) -> None:
    game = played_through(four)
    other = LOSS if game.result == WIN else WIN
    wish = f"{reverse('admin:tournaments_game_correct')}?c={game.pk},{game.revision},{other},"
    html = desk.get(wish).content.decode()
    assert "later matches were decided already" in html
    assert "round 2, match 1" in html
    preview = desk.get(f"{wish}&bracket={way}")
    assert words in preview.content.decode()
    answer = carried_out(desk, preview)
    assert answer.status_code == 302, answer.content.decode()
    assert Game.objects.filter(pairing__round__number=2).exclude(result="").count() == left
    assert not check_list(standard)


def test_a_ruling_that_turns_the_bracket_asks_on_its_own_page(desk: Client, four: Tournament) -> None:
    played_through(four)
    match = factory.match_of(four, 1, 1)
    other = match.seats.exclude(entry=match.advanced).get().entry
    wish = {"do": "rule", "knew": match.advanced_id, "advanced": other.pk, "reason": "appeal"}
    answer = desk.post(url("match", match.pk), wish)
    assert answer.status_code == 409
    assert "The bracket follows" in answer.content.decode()
    desk.post(url("match", match.pk), {**wish, "bracket": "follow"})
    match.refresh_from_db()
    assert match.advanced == other


def test_a_ruling_taken_back_under_later_matches_says_what_goes(desk: Client, four: Tournament) -> None:
    match = factory.match_of(four, 1, 1)
    factory.play_match(match, DRAW)
    entry = match.seats.get(line=1).entry
    desk.post(url("match", match.pk), {"do": "rule", "knew": "0", "advanced": entry.pk, "reason": "other"})
    factory.play_match(factory.match_of(four, 1, 2), WIN)
    factory.play_match(factory.match_of(four, 2, 1), WIN, on=factory.MONDAY + timedelta(days=7))
    wish = {"do": "take_back", "knew": entry.pk, "reason": "appeal"}
    answer = desk.post(url("match", match.pk), wish)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Later matches were decided already; they are cleared and played again" in html
    assert "The bracket follows" not in html, "one way only is no choice"
    assert hidden_of(html)["bracket"] == ["follow"]
    assert desk.post(url("match", match.pk), wish | {"bracket": "follow"}).status_code == 302
    match.refresh_from_db()
    assert (match.advanced, match.ruled) == (None, False)
    assert not Game.objects.filter(pairing__round__number=2).exclude(result="").exists()


def test_a_match_page_is_for_matches_and_arbiters_only(desk: Client, client: Client, four: Tournament) -> None:
    match = factory.match_of(four, 1, 1)
    robin = factory.make_round_robin(list(Player.objects.all()), name="Robin")
    assert desk.get(url("match", Pairing.objects.filter(round__stage__tournament=robin)[0].pk)).status_code == 404
    assert Client().get(url("match", match.pk)).status_code == 302


# --- boards with more than one game, and adjourned ones -----------------------------------------------------------
def test_after_a_draw_the_armageddon_game_stands_on_the_board(
    desk: Client, cup: Tournament, standard: RatingList
) -> None:
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    game = factory.play_round(cup, 1, [DRAW, WIN])[0]
    assert Game.objects.filter(phase="armageddon").count() == 1
    assert "armageddon after a draw" in desk.get(url("results", factory.round_of(cup, 1).pk)).content.decode()
    swap_colours(game=game.pk, mirror=True, by=None, reason="wrong-colours")
    game.refresh_from_db()
    armageddon = Game.objects.get(phase="armageddon")
    assert (armageddon.white_id, armageddon.black_id) == (game.white_id, game.black_id)
    record_result(game=armageddon.pk, result=WIN, played_on=factory.MONDAY, by=None)
    assert not check_list(standard)


def test_points_with_an_armageddon_game_are_chosen_before_the_first_result(cup: Tournament) -> None:
    factory.play_round(cup, 1, [DRAW, WIN])
    with pytest.raises(Refused, match="Results are in"):
        update_tournament(cup.pk, {"point_system": "armageddon"}, by=None)
    update_tournament(cup.pk, {"point_system": "football"}, by=None)


def test_a_draw_taken_back_takes_its_armageddon_game_along_unless_it_was_played(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(point_system="armageddon")
    one, other = factory.play_round(cup, 1, [DRAW, DRAW])
    correct_result(game=one.pk, result=WIN, by=None)
    assert Game.objects.filter(phase="armageddon").count() == 1
    armageddon = Game.objects.get(phase="armageddon")
    record_result(game=armageddon.pk, result=LOSS, played_on=factory.MONDAY, by=None)
    with pytest.raises(Refused, match="clear that one first"):
        correct_result(game=other.pk, result=WIN, by=None)


def test_an_adjourned_game_counts_on_the_day_it_ends(desk: Client, cup: Tournament, standard: RatingList) -> None:
    row = factory.round_of(cup, 1)
    games = factory.play_round(cup, 1, [Result.ADJOURNED, WIN])
    assert standard.ratings.filter(games__gt=0).count() == 2
    fields = {"board-1": "1-0", f"was-{games[0].pk}": "adj", f"revision-{games[0].pk}": "1", "played_on": "2026-01-19"}
    assert desk.post(url("results", row.pk), fields).status_code == 302
    games[0].refresh_from_db()
    assert (games[0].result, str(games[0].played_on)) == ("1-0", "2026-01-19")
    assert games[0].sequence is not None
    assert games[1].sequence is not None
    assert games[0].sequence > games[1].sequence, "it takes its place when it ends"
    assert not check_list(standard)


def test_an_adjourned_game_ended_through_a_correction_is_no_correction(cup: Tournament, standard: RatingList) -> None:
    games = factory.play_round(cup, 1, [Result.ADJOURNED, WIN])
    correct_result(game=games[0].pk, result=DRAW, played_on=factory.MONDAY, by=None)
    games[0].refresh_from_db()
    assert (games[0].sequence or 0) > (games[1].sequence or 0)
    assert not check_list(standard)


def test_nothing_is_entered_on_a_draft(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    row.state = "draft"
    row.save()
    game = Game.objects.filter(pairing__round=row)[0]
    fields = {"board-1": "1-0", f"was-{game.pk}": "", f"revision-{game.pk}": "0", "played_on": "2026-01-05"}
    assert "is a draft: publish it first" in desk.post(url("results", row.pk), fields).content.decode()


def test_whoever_enters_a_game_that_goes_at_that_moment_is_told(
    desk: Client, four: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.objects.filter(tournament=four)[0]

    def goes_first(**wish: object) -> None:
        Game.objects.filter(pk=game.pk).delete()
        record_with_stones(**wish)  # type: ignore[arg-type]

    monkeypatch.setattr("tournaments.results.admin.results.record_with_stones", goes_first)
    row = factory.round_of(four, 1)
    fields = {f"board-{game.pairing.board}": "1-0", f"was-{game.pk}": "", f"revision-{game.pk}": "0"}
    assert desk.post(url("results", row.pk), {**fields, "played_on": "2026-01-05"}).status_code == 409


def test_a_button_that_is_not_there_is_told(desk: Client, four: Tournament) -> None:
    before = list(Pairing.objects.values())
    for page in (url("match", factory.match_of(four, 1, 1).pk), url("format", four.pk)):
        for do in ("nonsense", "Rule", "\x00", "9" * 5000):
            answer = desk.post(page, {"do": do})
            assert answer.status_code == 409, (page, do)
            assert "This page has no such button" in answer.content.decode(), (page, do)
    assert list(Pairing.objects.values()) == before
