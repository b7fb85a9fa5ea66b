"""A round's certificate on the site: the page, the file, boards set by hand, large rounds in the background."""

import json
import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Job, Player
from players.refusals import Refused
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.rounds.round_cases import boards_of, entry
from tests.tournaments.swiss_events import BLACK, WHITE, make_swiss, play_rounds
from tournaments.models import Stage, Tournament
from tournaments.pairing.certificates import trial
from tournaments.pairing.certificates.checker import check
from tournaments.rounds import views
from tournaments.rounds.selectors.certificate import CERTIFICATE
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.certificate import answer_certificate
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]
PAGE, FILE = "/tournaments/open/rounds/{}/certificate/", "/tournaments/open/rounds/{}/certificate.json"
standard = club_and_list


@pytest.fixture(scope="module")
def swiss(standard: object) -> Stage:
    """Nine players and a round played; round 2 is published."""
    stage = make_swiss(factory.make_players(9))
    play_rounds(stage, 1, WHITE, BLACK, WHITE, BLACK)
    pair_next_round(stage, by=None, publish=True)
    return stage


def test_the_file_proves_the_boards_as_they_stand_and_names_nobody(client: Client, swiss: Stage) -> None:
    answer = client.get(FILE.format(2))
    assert answer["Content-Disposition"] == 'attachment; filename="certificate-open-2.json"'
    document = json.loads(answer.content)
    check(document)
    assert [tuple(board) for board in document["boards"] if board[1]] == boards_of(swiss.rounds.get(number=2))
    assert document["by_hand"] == []
    assert not any(player.name in answer.content.decode() for player in Player.objects.all())


def test_the_rounds_page_leads_to_what_is_proven_and_on_to_the_file(client: Client, swiss: Stage) -> None:
    assert f'href="{PAGE.format(2)}"' in text_of(client, "/tournaments/open/rounds/2/")
    html = text_of(client, PAGE.format(2))
    assert f'href="{FILE.format(2)}"' in html
    assert '<th scope="row" class="num">1</th>' in html, "a score group"
    assert "set by hand" not in html


def test_what_fails_is_named_as_the_edition_numbers_it(client: Client, swiss: Stage) -> None:
    """A criterion is C.6 in the rules of 2025 and C6 in those of 2026."""
    seen = []
    for edition in (2025, 2026):
        cache.clear()
        Tournament.objects.update(swiss_edition=edition)
        seen.append(set(re.findall(r"\bC\.?\d+(?= ×)", text_of(client, PAGE.format(2)))))
    old, new = seen
    assert old
    assert new
    assert all(name.startswith("C.") for name in old)
    assert not any(name.startswith("C.") for name in new)


def test_a_report_nobody_can_read_keeps_no_round_from_its_certificate(client: Client, swiss: Stage) -> None:
    Tournament.objects.update(foreign_records="260 one two\n250 x")
    assert '<th scope="row" class="num">1</th>' in text_of(client, PAGE.format(2))


def test_boards_set_by_hand_are_named(client: Client, swiss: Stage) -> None:
    row = swiss.rounds.get(number=2)
    (first, second), (third, fourth) = boards_of(row)[:2]
    seats = [(entry(swiss, one), entry(swiss, other)) for one, other in ((third, second), (first, fourth))]
    others = [(entry(swiss, one), entry(swiss, other)) for one, other in boards_of(row)[2:]]
    paired = {number for board in boards_of(row) for number in board}
    bye = next(number for number in range(1, 10) if number not in paired)
    row.state = "draft"
    row.save()
    re_pair(row.pk, [*seats, *others, (entry(swiss, bye), None)], by=None)
    publish_round(row.pk, by=None)
    assert sorted(json.loads(client.get(FILE.format(2)).content)["by_hand"]) == sorted(
        [[third, second], [first, fourth]]
    )
    html = text_of(client, PAGE.format(2))
    assert "these boards of the round are others" in html
    Player.objects.update(visibility="hidden")
    assert not any(player.name in text_of(client, PAGE.format(2)) for player in Player.objects.all())


def test_there_is_one_for_published_rounds_of_a_swiss_only(client: Client, desk: Client, swiss: Stage) -> None:
    factory.make_round_robin(factory.make_players(4), name="Other")
    for address in ("/tournaments/other/rounds/1/certificate/", PAGE.format(3), FILE.format(3), FILE.format(0)):
        assert client.get(address).status_code == 404, address
    assert "certificate" not in text_of(client, "/tournaments/other/rounds/1/")
    swiss.rounds.filter(number=2).update(state="draft")
    assert [each.get(PAGE.format(2)).status_code for each in (client, desk)] == [404, 404]


def test_a_round_without_a_certificate_says_why(client: Client, swiss: Stage) -> None:
    """The second of return games is no new pairing; settings nobody can read pair nothing."""
    for settings, words in (({"games": 2}, "Return games are the boards"), ({"rounds": "many"}, "rounds")):
        cache.clear()
        Stage.objects.filter(pk=swiss.pk).update(settings=settings)
        html = text_of(client, PAGE.format(2))
        assert words in html
        assert "proven" not in html
    swiss.rounds.filter(number=2).delete()
    with pytest.raises(Refused, match="not there any more"):
        answer_certificate(Job(kind=CERTIFICATE, subject_key=0), lambda *_said: None)


def test_a_large_round_is_certified_in_the_background(
    client: Client, swiss: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "AT_ONCE", 4)
    assert client.get(FILE.format(2)).status_code == 404
    assert "Make the certificate" in text_of(client, PAGE.format(2))
    assert client.post(f"{PAGE.format(2)}ask/").status_code == 302
    assert Job.objects.get().state == Job.State.DONE
    check(json.loads(client.get(FILE.format(2)).content))
    assert "Make the certificate" not in text_of(client, PAGE.format(2))


@pytest.mark.extended
def test_the_page_asks_no_more_of_a_large_round(client: Client, swiss: Stage) -> None:
    play_rounds(make_swiss(factory.make_players(20), name="Large"), 2)
    counts = []
    for slug in ("open", "large"):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/tournaments/{slug}/rounds/2/certificate/").status_code == 200
        counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= 13


def test_the_command_says_proven_or_where_not(
    client: Client, swiss: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "round.json"
    document = json.loads(client.get(FILE.format(2)).content)
    path.write_text(json.dumps(document), encoding="utf-8")
    call_command("verify_pairing", str(path))
    said = capsys.readouterr().out.split("\n")
    assert said[:2] == [
        "proven: round 2, 9 players, FIDE C.04.3 of 2025",
        "Score group 1: 2 pairs; fails: C.5 × 1, C.6 × 1",
    ]
    document["boards"][0].reverse()
    path.write_text(json.dumps(document), encoding="utf-8")
    for name, status, words in ((str(path), 1, "colours"), (str(tmp_path), 2, "cannot be read")):
        with pytest.raises(CommandError, match=words) as refused:
            call_command("verify_pairing", name)
        assert refused.value.returncode == status


def test_the_command_takes_a_certificate_or_a_number_of_rounds(tmp_path: Path) -> None:
    path = tmp_path / "round.json"
    path.write_text("[]", encoding="utf-8")
    either = "Name a certificate, or a number of rounds"
    for arguments, words in (([], either), ([path, "--trial", "2"], either), ([path], "round.json: ")):
        with pytest.raises(CommandError, match=words) as refused:
            call_command("verify_pairing", *map(str, arguments))
        assert refused.value.returncode == 2
    for name, count in (("--trial", "0"), ("--players", "1"), ("--workers", "none")):
        with pytest.raises(CommandError, match=f"“{count}” is no whole number from "):
            call_command("verify_pairing", "--trial=2", f"{name}={count}")


def test_a_trial_that_finds_something_wrong_says_what(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "trial.json"
    arguments = ("verify_pairing", "--trial=2", "--players=4", "--seed=3", f"--out={told}")
    call_command(*arguments)
    assert capsys.readouterr().out.startswith("2 of 2 rounds accepted\n")
    assert json.loads(told.read_text(encoding="utf-8"))["failed"] == []
    monkeypatch.setattr(trial, "refusal", lambda _document: "for a reason")
    with pytest.raises(CommandError, match=r"^Wrong: 2\.$") as wrong:
        call_command(*arguments)
    assert wrong.value.returncode == 1
    said = capsys.readouterr().out.splitlines()
    found = [f"right, but refused (round {number}): for a reason" for number in (1, 2)]
    assert (said[0], said[-2:]) == ("0 of 2 rounds accepted", found)
    assert json.loads(told.read_text(encoding="utf-8"))["failed"] == found
