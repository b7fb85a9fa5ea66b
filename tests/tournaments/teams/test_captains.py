"""Captains act for their own team by a link: line-ups are hidden until both are in, cards confirmed or disputed."""

from datetime import time, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry
from tests.factory import make_arbiter, make_round_robin, today, told
from tests.tournaments.teams.team_cases import facts_of, make_team_event, match_between, squad_of, team
from tournaments.captains.services import (
    captain_hands_in,
    captain_opens,
    card_revision,
    closes_on,
    confirm_card,
    disputes,
    enter_card,
    make_link,
    revoke_link,
)
from tournaments.models import (
    CaptainLink,
    Game,
    LeagueClub,
    LineUp,
    ResultReport,
    Round,
    Team,
    TeamMatch,
    TeamPlayer,
    TeamRules,
    Tournament,
)
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result
from tournaments.teams.selectors.checklist import due_at
from tournaments.teams.services.line_ups import hand_in, open_match
from tournaments.teams.services.teams import add_players

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(scope="module")
def match(event: Tournament) -> TeamMatch:
    TeamMatch.objects.update(played_on=today())
    return match_between(event, "Anchor", "Delta")


def captain_of(event: Tournament, name: str) -> Client:
    _link, secret = make_link(team(event, name).pk, by=None)
    client = Client()
    assert client.get(f"/captain/link/{secret}/").status_code == 302
    return client


def page_of(match: TeamMatch, side: Team) -> str:
    return f"/captain/matches/{match.pk}/{side.pk}/"


def line_up(side: Team, *order: int) -> dict[str, str]:
    rows = list(TeamPlayer.objects.filter(team=side).order_by("place"))
    return {f"board-{board}": str(rows[place - 1].pk) for board, place in enumerate(order, start=1)}


def send_line_up(client: Client, match: TeamMatch, side: Team, *order: int, revision: int = 0) -> int:
    values = {"do": "line-up", "revision": revision, **line_up(side, *order)}
    return client.post(page_of(match, side), values).status_code


def test_boards_are_made_when_both_line_ups_are_in(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    assert send_line_up(captain_of(event, "Anchor"), match, anchor, 2, 1) == 302
    assert not match.boards.exists()
    assert send_line_up(captain_of(event, "Delta"), match, delta, 1, 3) == 302
    assert match.boards.count() == 2
    roles = AuditEvent.objects.filter(action__in=("line-up.handed-in", "match.opened")).values_list("role", flat=True)
    assert set(roles) == {"captain"}
    assert told("match.opened", match, "captain").after == {"first_white": match.first_white}


def test_nobody_sees_a_line_up_before_both_are_in(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    send_line_up(captain_of(event, "Anchor"), match, anchor, 2, 1)
    assert told("line-up.handed-in", match, "captain").after == {"team": anchor.pk, "players": [2, 1]}
    other = captain_of(event, "Delta")
    page = other.get(page_of(match, delta)).text
    assert "handed in theirs" in page
    names = [row.entry.player.name for row in TeamPlayer.objects.filter(team=anchor)]
    assert not any(name in page for name in names)
    assert other.get(page_of(match, anchor)).status_code == 404
    assert other.post(page_of(match, anchor), {"do": "line-up", **line_up(anchor, 1, 2)}).status_code == 404


def test_only_that_link_is_taken_back_and_once(event: Tournament) -> None:
    officer = make_arbiter()
    links = [make_link(team(event, name).pk, by=officer, days=9)[0] for name in ("Anchor", "Delta")]
    revoke_link(links[1].pk, by=officer)
    assert told("captain-link.made", links[0].team, officer).after == {"link": links[0].pk, "days": 9}
    assert told("captain-link.revoked", links[1].team, officer).after == {"link": links[1].pk}
    assert list(CaptainLink.objects.filter(revoked_at=None)) == links[:1]
    with pytest.raises(Refused, match="taken back already"):
        revoke_link(links[1].pk, by=None)


@pytest.mark.parametrize("way", ["expired", "revoked", "unknown", "none"])
def test_a_link_that_does_not_hold_opens_nothing(way: str, event: Tournament, match: TeamMatch) -> None:
    client = captain_of(event, "Anchor") if way in ("expired", "revoked") else Client()
    if way == "expired":
        CaptainLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif way == "revoked":
        revoke_link(CaptainLink.objects.get().pk, by=None)
    elif way == "unknown":
        answer = client.get("/captain/link/of-nobody/")
        assert answer.status_code == 404
        assert "ask for a new one" in answer.text
        _link, good = make_link(team(event, "Anchor").pk, by=None)
        tries = [Client().get(f"/captain/link/of-nobody-{number}/").status_code for number in range(20)]
        assert tries == [404] * 19 + [429]
        assert Client().get(f"/captain/link/{good}/").status_code == 302, "who has one is let in"
    assert client.get("/captain/").status_code == 403
    assert client.get(page_of(match, team(event, "Anchor"))).status_code == 404


def test_a_device_forgets_its_links(event: Tournament) -> None:
    client = captain_of(event, "Anchor")
    known = client.session.session_key
    client.get(f"/captain/link/{make_link(team(event, 'Delta').pk, by=None)[1]}/")
    assert client.session.session_key != known, "whoever knows the old key acts for no team"
    assert client.get("/captain/leave/").status_code == 405
    assert client.get("/captain/").status_code == 200
    client.post("/captain/leave/")
    assert client.get("/captain/").status_code == 403


def test_the_first_page_lists_published_matches_of_the_own_team_while_the_event_runs(
    event: Tournament, match: TeamMatch
) -> None:
    client, anchor = captain_of(event, "Anchor"), team(event, "Anchor")

    def listed() -> list[TeamMatch]:
        return [row for row, side in client.get("/captain/").context["matches"] if side == anchor]

    own = [match_between(event, "Anchor", other) for other in ("Castle", "Delta", "Bridge")]
    assert (own[2].round.number, own[0].round.number) == (2, 3)
    TeamMatch.objects.filter(pk=own[0].pk).update(played_on=today() - timedelta(days=1))
    assert listed() == own, "in order of days, then of rounds"
    TeamMatch.objects.filter(pk=own[1].pk).update(played_on=None)
    assert listed() == [own[0], own[2], own[1]]
    Round.objects.filter(pk=match.round_id).update(state=Round.State.DRAFT)
    assert listed() == [row for row in own if row != match]
    assert client.get(page_of(match, anchor)).status_code == 404
    TeamMatch.objects.filter(pk=match_between(event, "Anchor", "Bridge").pk).update(home=anchor, away=None)
    assert listed() == [match_between(event, "Anchor", "Castle")], "nobody plays against a bye"
    Tournament.objects.filter(pk=event.pk).update(closed=True)
    assert client.get("/captain/").status_code == 403


def test_only_a_digest_of_a_link_is_kept(event: Tournament) -> None:
    link, secret = make_link(team(event, "Anchor").pk, by=None)
    assert secret not in (link.digest, *map(str, AuditEvent.objects.values_list("after", flat=True)))


def test_an_officer_of_a_club_acts_for_its_teams_only(event: Tournament, match: TeamMatch) -> None:
    club = LeagueClub.objects.create(name="Guests")
    club.officers.add(User.objects.create_user("officer", password="pass-for-tests"))
    Team.objects.filter(name="Delta").update(club=club)
    client = Client()
    client.force_login(User.objects.get(username="officer"))
    assert client.get(page_of(match, team(event, "Delta"))).status_code == 200
    assert client.get(page_of(match, team(event, "Anchor"))).status_code == 404
    assert client.get("/admin/").status_code == 403


def open_card(event: Tournament, match: TeamMatch) -> tuple[Team, Team]:
    open_match(match.pk, by=None)
    return team(event, "Anchor"), team(event, "Delta")


def test_a_card_counts_at_once_and_the_other_side_confirms(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = open_card(event, match)
    captain_of(event, "Anchor").post(page_of(match, anchor), {"do": "card", "board-1": WIN, "board-2": DRAW})
    assert LedgerEntry.objects.count() == 2
    captain_of(event, "Delta").post(page_of(match, delta), {"do": "agree"})
    match.refresh_from_db()
    assert match.home_agreed_at
    assert match.away_agreed_at


def test_the_card_names_who_wins_whoever_has_white(event: Tournament, match: TeamMatch) -> None:
    anchor, _delta = open_card(event, match)
    card = captain_of(event, "Anchor").get(page_of(match, anchor)).context["card"]
    games = Game.objects.filter(pairing__match=match).order_by("pairing__match_board")
    assert [dict(row["choices"])[WIN] for row in card] == [f"{game.white.name} wins" for game in games]
    assert len({row["home_is_white"] for row in card}) == 2


def test_a_disputed_board_stands_until_the_arbiter_decides(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = open_card(event, match)
    enter_card(match.pk, anchor.pk, {1: WIN, 2: DRAW}, by=None)
    assert told("card.entered", match, "captain").after == {"team": anchor.pk, "boards": {"1": WIN, "2": DRAW}}
    outcome = enter_card(match.pk, delta.pk, {1: LOSS, 2: DRAW}, by=None, words="Time ran out")
    assert outcome.disputed == (1,)
    said = captain_of(event, "Delta").post(page_of(match, delta), {"do": "card", "board-1": LOSS}, follow=True).text
    assert "Disputed boards: 1. The arbiter decides" in said
    assert Game.objects.get(pairing__match=match, pairing__match_board=1).result == WIN
    assert ResultReport.objects.get().claimed == LOSS
    match.refresh_from_db()
    assert (match.home_agreed_at is None) != (match.away_agreed_at is None)
    for claim, count in ((LOSS, 1), (DRAW, 2)):
        enter_card(match.pk, delta.pk, {1: claim}, by=None)
        assert ResultReport.objects.count() == count, "the same dispute, or another one"


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ({1: WIN, 3: WIN}, "boards 1 to 2, not 3"),
        ({1: WIN, 2: Result.NO_POINTS}, "Board 2: “0-0” is no result a captain enters"),
    ],
)
def test_a_wrong_card_enters_nothing(results: dict[int, str], words: str, event: Tournament, match: TeamMatch) -> None:
    anchor, _delta = open_card(event, match)
    with pytest.raises(Refused, match=words):
        enter_card(match.pk, anchor.pk, results, by=None)
    assert not Game.objects.exclude(result="").exists()


def test_a_board_won_by_default_has_no_result_to_enter(event: Tournament, match: TeamMatch) -> None:
    first = TeamPlayer.objects.filter(team__name="Anchor").order_by("place")[0]
    hand_in(match.pk, team(event, "Anchor").pk, [first.pk, None], by=None)
    _anchor, delta = open_card(event, match)
    with pytest.raises(Refused, match="Board 2 is won by default"):
        enter_card(match.pk, delta.pk, {1: WIN, 2: WIN}, by=None)
    with pytest.raises(Refused, match="does not play"):
        enter_card(match.pk, team(event, "Bridge").pk, {1: WIN}, by=None)


def test_a_card_is_closed_after_its_days(event: Tournament, match: TeamMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    anchor, _delta = open_card(event, match)
    with monkeypatch.context() as that_night:
        that_night.setattr(timezone, "now", lambda: closes_on(match, event.team_rules))
        with pytest.raises(Refused, match="closed"):
            enter_card(match.pk, anchor.pk, {1: WIN}, by=None)
        assert captain_of(event, "Anchor").get(page_of(match, anchor)).context["is_closed"]
    day = timezone.localdate() - timedelta(days=15)
    TeamMatch.objects.update(played_on=day)
    with pytest.raises(Refused, match="closed"):
        enter_card(match.pk, anchor.pk, {1: WIN}, by=None)
    assert closes_on(match, TeamRules(card_days=0)) is None
    assert "tell the arbiter" in captain_of(event, "Anchor").get(page_of(match, anchor)).text


def test_a_line_up_after_it_was_due_is_refused_and_the_boards_can_be_made(
    event: Tournament, match: TeamMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    TeamRules.objects.update(line_up_hours=2)
    TeamMatch.objects.update(played_on=today() - timedelta(days=1), starts_at=time(19))
    anchor = team(event, "Anchor")
    due = due_at(TeamMatch.objects.get(pk=match.pk), TeamRules.objects.get())
    with monkeypatch.context() as at_that_moment:
        at_that_moment.setattr(timezone, "now", lambda: due)
        with pytest.raises(Refused, match="not in yet"):
            captain_opens(match.pk, anchor.pk, by=None)
        captain_hands_in(match.pk, anchor.pk, [*map(int, line_up(anchor, 1, 2).values())], by=None, revision=0)
        assert not captain_of(event, "Anchor").get(page_of(match, anchor)).context["is_late"]
    client = captain_of(event, "Anchor")
    answer = client.post(page_of(match, anchor), {"do": "line-up", "revision": 1, **line_up(anchor, 1, 2)})
    assert answer.status_code == 409
    assert "were due before" in answer.text
    assert client.post(page_of(match, anchor), {"do": "open"}).status_code == 302
    assert list(LineUp.objects.order_by("pk").values_list("made_up", flat=True)) == [False, True]


def test_what_is_wrong_is_said_and_what_was_chosen_stays(event: Tournament, match: TeamMatch) -> None:
    anchor = team(event, "Anchor")
    client = captain_of(event, "Anchor")
    answer = client.post(page_of(match, anchor), {"do": "line-up", "revision": 0, **line_up(anchor, 2, 2)})
    assert answer.status_code == 409
    assert "already sits on board 1" in answer.text
    assert answer.text.count("selected") == 2
    assert send_line_up(client, match, anchor, 1, 2) == 302
    assert send_line_up(client, match, anchor, 2, 1, revision=0) == 409  # somebody else's page
    long = {"do": "line-up", "revision": 1, **line_up(anchor, 1, 2), "note": "A note. " * 50}
    assert client.post(page_of(match, anchor), long).status_code == 302
    assert len(LineUp.objects.get().note) == 300
    for strange in ({"board-1": "x"}, {"board-1": "99999999"}, {"do": "nothing"}):
        assert client.post(page_of(match, anchor), {"do": "line-up", "revision": 2, **strange}).status_code == 409


def test_the_arbiter_makes_a_link_and_takes_it_back(desk: Client, event: Tournament) -> None:
    page = f"/admin/tournaments/tournament/{event.pk}/captains/"
    made = desk.post(page, {"team": team(event, "Anchor").pk, "days": "10"})
    assert "/captain/link/" in made.text
    assert "/captain/link/" not in desk.get(page).text
    desk.post(page, {"revoke": CaptainLink.objects.get().pk})
    assert CaptainLink.objects.get().revoked_at
    assert desk.post(page, {"team": "0"}).status_code == 409
    assert desk.post(page, {"team": team(event, "Anchor").pk, "days": "0"}).status_code == 409


def test_the_page_of_links_has_those_of_its_event_that_hold(desk: Client, event: Tournament) -> None:
    other = make_team_event()
    mine, theirs, gone, newer = (
        make_link(team(each, "Anchor").pk, by=None)[0] for each in (event, other, event, event)
    )
    revoke_link(gone.pk, by=None)
    page = f"/admin/tournaments/tournament/{event.pk}/captains/"
    for sent in ({"revoke": theirs.pk}, {"team": theirs.team_id, "days": "10"}):
        assert desk.post(page, sent).status_code == 409
    assert CaptainLink.objects.filter(revoked_at=None).count() == 3
    shown = [(row.name, links) for row, links in desk.get(page).context["teams"]]
    assert shown == [("Anchor", [mine, newer]), ("Bridge", []), ("Castle", []), ("Delta", [])]
    cup = make_round_robin(squad_of(team(event, "Anchor")))
    assert desk.get(f"/admin/tournaments/tournament/{cup.pk}/captains/").status_code == 404


def test_a_side_never_learns_why_boards_are_not_made(event: Tournament, match: TeamMatch) -> None:
    """Somebody plays for two teams and sits in another match already: only his own side and the arbiter are told."""
    TeamRules.objects.update(several_teams=True)
    anchor, delta = team(event, "Anchor"), team(event, "Delta")
    assert send_line_up(captain_of(event, "Anchor"), match, anchor, 1, 2) == 302
    other = TeamMatch.objects.filter(round=match.round).exclude(pk=match.pk)[0]
    both = TeamPlayer.objects.filter(team=anchor).order_by("place")[0].entry.player
    row = add_players(other.home_id, [both], by=None)[0]
    hand_in(other.pk, other.home_id, [row.pk], by=None)
    open_match(other.pk, by=None)
    assert send_line_up(captain_of(event, "Delta"), match, delta, 1, 2) == 302
    assert LineUp.objects.filter(match=match).count() == 2
    assert not match.boards.exists()


def test_a_confirmation_holds_until_a_result_changes(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = open_card(event, match)
    enter_card(match.pk, anchor.pk, {1: WIN, 2: DRAW}, by=None)
    confirm_card(match.pk, delta.pk, by=None)
    assert facts_of(match)[1].agreed_sides == (True, True)
    game = Game.objects.get(pairing__match=match, pairing__match_board=1)
    correct_result(game=game.pk, result=LOSS, by=None)
    assert facts_of(match)[1].agreed_sides == (False, False)
    confirm_card(match.pk, delta.pk, by=None)
    assert facts_of(match)[1].agreed_sides == (False, True)
    Game.objects.filter(pk=game.pk).update(result=Result.OPEN, recorded_at=None)
    assert facts_of(match)[1].agreed_sides == (False, False), "a board is open again"


def test_a_card_seen_before_it_changed_is_stale(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = open_card(event, match)
    seen = card_revision(TeamMatch.objects.get(pk=match.pk), Game.objects.filter(pairing__match=match))
    enter_card(match.pk, anchor.pk, {1: WIN, 2: ""}, by=None, revision=seen)
    enter_card(match.pk, anchor.pk, {1: WIN}, by=None)
    assert told("card.entered", match, "captain").after["boards"] == {"1": WIN}
    with pytest.raises(Stale, match="changed meanwhile"):
        enter_card(match.pk, delta.pk, {2: DRAW}, by=None, revision=seen)
    match.refresh_from_db()
    assert card_revision(match, Game.objects.filter(pairing__match=match)) > seen
    with pytest.raises(Refused, match="still open"):
        confirm_card(match.pk, delta.pk, by=None)


def test_a_disputed_card_cannot_be_confirmed(event: Tournament, match: TeamMatch) -> None:
    anchor, delta = open_card(event, match)
    enter_card(match.pk, anchor.pk, {1: WIN, 2: DRAW}, by=None)
    enter_card(match.pk, delta.pk, {1: LOSS}, by=None)
    assert ResultReport.objects.get().by_team == delta
    with pytest.raises(Refused, match="disputed"):
        confirm_card(match.pk, anchor.pk, by=None)
    with pytest.raises(Refused, match="cannot be adjourned"):
        enter_card(match.pk, delta.pk, {1: Result.ADJOURNED}, by=None)
    correct_result(game=Game.objects.get(pairing__match=match, pairing__match_board=2).pk, result=Result.OPEN, by=None)
    enter_card(match.pk, delta.pk, {2: DRAW}, by=None)
    assert facts_of(match)[1].agreed_sides == (False, False)


def test_of_two_matches_each_has_its_own_card_and_disputes(event: Tournament, match: TeamMatch) -> None:
    """What a visitor says, or was settled, disputes no card; every side says of every board what it has to say."""
    anchor, delta = open_card(event, match)
    beside = match_between(event, "Bridge", "Castle")
    open_match(beside.pk, by=None)
    enter_card(match.pk, anchor.pk, {1: WIN, 2: WIN}, by=None)
    assert {game.result for game in Game.objects.filter(pairing__match=beside)} == {""}
    enter_card(beside.pk, team(event, "Bridge").pk, {1: WIN, 2: WIN}, by=None)
    for side, boards in ((delta, (1, 2)), (anchor, (1,)), (delta, (1, 2))):
        enter_card(match.pk, side.pk, dict.fromkeys(boards, LOSS), by=None)
    said = [(report.game.pairing.match_board, report.by_team) for report in disputes(match)]
    assert said == [(1, delta), (1, anchor), (2, delta)]
    confirm_card(beside.pk, team(event, "Castle").pk, by=None)
    settled = {"state": ResultReport.State.DECLINED, "settled_at": timezone.now()}
    ResultReport.objects.update(**settled)
    enter_card(match.pk, delta.pk, {1: LOSS}, by=None)
    assert len(disputes(match)) == 1, "what was settled may be said once more"
    ResultReport.objects.update(**settled)
    report_result(Game.objects.get(pairing__match=match, pairing__match_board=1).pk, LOSS, role="visitor")
    confirm_card(match.pk, delta.pk, by=None)
