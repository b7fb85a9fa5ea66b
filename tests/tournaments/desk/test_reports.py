"""A report at the desk: uploaded, looked at, decided on, imported; and an event taken out again."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player
from tests import factory
from tests.tournaments.interchange.trf_events import CUP, HEAD, PEOPLE
from tests.tournaments.interchange.trf_files import FOLDER, row, text
from tournaments.interchange.trf import read_report
from tournaments.merging.services import merge_players
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
BRING = "/admin/tournaments/tournament/report/"


def upload(desk: Client, *lines: str, **more: str) -> HttpResponse:
    data = {"file": SimpleUploadedFile("cup.trf", text(*lines)), "pool": "standard", "rated": "on", **more}
    return desk.post(BRING, data)  # type: ignore[return-value]


def step(desk: Client, page: HttpResponse, do: str, **choices: str) -> HttpResponse:
    """The preview's own form, sent with a button."""
    context = page.context  # type: ignore[attr-defined]
    said = {item["name"]: item["choice"] for item in context["rows"]}
    hidden = {"kept": context["kept"], "pool": context["pool"], **({"rated": "on"} if context["rated"] else {})}
    return desk.post(BRING, {**hidden, **said, **choices, "do": do})  # type: ignore[return-value]


# --- in -----------------------------------------------------------------------------------------------------------
def test_the_list_of_events_leads_to_the_import_and_a_day_reads_like_every_day(desk: Client) -> None:
    assert BRING in desk.get(reverse("admin:tournaments_tournament_changelist")).content.decode()
    assert "Tournament report" in desk.get(BRING).content.decode()
    content = (FOLDER / "hb2025_junior_club_champ_rr8.trf").read_bytes()
    answer = desk.post(BRING, {"file": SimpleUploadedFile("cup.trf", content), "pool": "standard"})
    assert "· 14 Oct 2025 ·" in answer.content.decode()


def test_the_preview_shows_what_comes_and_changes_nothing(desk: Client) -> None:
    ada = create_player(NewPlayer("Ada Alvarez"), by=None)
    html = upload(desk, *CUP).content.decode()
    assert "4 players (3 new), 3 rounds, 5 games, 1 byes." in html
    assert f'<option value="{ada.pk}" selected>Ada Alvarez (#1)</option>' in html
    assert html.count('<option value="new" selected>somebody new</option>') == 3
    assert not Tournament.objects.exists()
    assert Player.objects.count() == 1


def test_the_import_leads_to_the_event(desk: Client, arbiter: User) -> None:
    done = step(desk, upload(desk, *CUP), "import")
    cup = Tournament.objects.get()
    assert (done.status_code, done["Location"]) == (302, f"/admin/tournaments/tournament/{cup.pk}/change/")
    assert (cup.entries.count(), cup.games.count()) == (4, 5)
    assert AuditEvent.objects.get(action="report.imported").actor == arbiter


def test_who_cannot_be_told_is_chosen(desk: Client) -> None:
    first, second = (create_player(NewPlayer("Smith, John"), by=None) for _twin in range(2))
    page = upload(desk, *HEAD, row(1, "2 w 1", name="Smith, John"), row(2, "1 b 0", name="Brandt, Bo"))
    html = page.content.decode()
    assert "several players are called so: Smith, John (#1), Smith, John (#2)" in html
    assert "Choose who is meant where a line is open." in html
    assert "Import the event" not in html
    assert step(desk, page, "import").status_code == 200
    assert not Tournament.objects.exists()
    chosen = step(desk, page, "look", **{"line-1": str(second.pk)})
    assert "as you chose" in chosen.content.decode()
    assert step(desk, chosen, "import").status_code == 302
    assert Tournament.objects.get().entries.get(number=1).player == second
    assert not first.entries.exists()


def test_a_match_may_be_overruled(desk: Client) -> None:
    ada = create_player(NewPlayer("Alvarez, Ada"), by=None)
    step(desk, upload(desk, *CUP), "import", **{"line-1": "new"})
    assert Tournament.objects.get().entries.get(number=1).player != ada
    assert Player.objects.filter(name=PEOPLE[1]).count() == 2


def test_a_choice_that_is_none_leaves_the_line_as_it_was(desk: Client) -> None:
    keep, gone = (create_player(NewPlayer(name), by=None) for name in ("Kay Kept", "Gil Gone"))
    merge_players(keep=keep.pk, gone=gone.pk, by=None, reason="duplicate")
    page = upload(desk, *CUP)
    assert step(desk, page, "look", **{"line-1": "999999", "line-x": "new"}).status_code == 200
    assert step(desk, page, "import", **{"line-1": "x", "line-2": str(gone.pk)}).status_code == 302
    assert not Entry.objects.filter(player__in=(keep, gone)).exists(), "nobody is entered by a record that was given up"


def test_every_mistake_and_oddity_of_a_file_is_told(desk: Client) -> None:
    page = upload(desk, *HEAD, row(1, "2 x 1"), row(2, "1 b ?"))
    html = page.content.decode()
    assert page.status_code == 400
    assert "line 5, column 97: round 1: “x” is no colour: expected w, b or -" in html
    assert "line 6, column 99: round 1: “?” is no result" in html
    html = upload(desk, *HEAD, row(1, "- - U", points="3.0")).content.decode()
    assert "line 5, column 81: 3.0 points, and the rounds of 1 give 1.0: these count" in html
    page = desk.post(BRING, {"kept": "0" * 64, "pool": "standard", "do": "import"})  # type: ignore[assignment]
    assert page.status_code == 400
    assert "The uploaded file is no longer here: upload it again." in page.content.decode()


def test_a_report_that_is_here_has_nothing_to_import_and_one_that_differs_says_where(desk: Client) -> None:
    step(desk, upload(desk, *CUP), "import")
    page = upload(desk, *CUP)
    html = page.content.decode()
    assert "This event is here already, with all its games: there is nothing to import." in html
    assert "Import the event" not in html
    assert step(desk, page, "import").status_code == 302
    assert Tournament.objects.count() == 1
    page = upload(desk, *CUP[:5], row(2, "4 w W|1 w =|- - U", name=PEOPLE[2]), *CUP[6:])
    html = page.content.decode()
    assert "This event is here already, and differs: nothing can be imported." in html
    assert "Round 3, number 2: the report has a bye, and that is not what is here." in html
    assert step(desk, page, "import").status_code == 200


def test_the_pool_and_whether_it_is_rated_are_chosen(desk: Client) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    data = {"file": SimpleUploadedFile("cup.trf", text(*CUP)), "pool": "rapid"}
    step(desk, desk.post(BRING, data), "import")  # type: ignore[arg-type]
    cup = Tournament.objects.get()
    assert (cup.pool, cup.rated) == ("rapid", False)


# --- out ----------------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_an_event_is_taken_out_as_a_file_by_officers(desk: Client) -> None:
    cup = factory.make_round_robin(factory.make_players(5))
    factory.play_all(cup)
    address = f"/admin/tournaments/tournament/{cup.pk}/report/"
    for query, edition in (("", "142 5"), ("?version=16", "XXR 5"), ("?version=no", "142 5")):
        answer = desk.get(address + query)
        assert answer["Content-Disposition"] == f'attachment; filename="{cup.slug}.trf"'
        assert edition in answer.content.decode().splitlines(), query
        assert [player.name for player in read_report(answer.content).players] == list(factory.CAST[:5])
    guest = Client()
    for page in (address, BRING):
        assert guest.get(page).status_code == 302, page
    guest.force_login(User.objects.create_user("guest", is_staff=True))
    for page in (address, BRING):
        assert guest.get(page).status_code == 403, "only who may add events and people may import"


def test_an_event_without_rounds_says_so(desk: Client) -> None:
    evening = Tournament.objects.create(name="Evenings", slug="evenings", open_ended=True)
    answer = desk.get(f"/admin/tournaments/tournament/{evening.pk}/report/", follow=True)
    assert "has no rounds: a tournament report needs some." in answer.content.decode()
