"""Nonsense, malice and accidents in every form and every address: an answer with a sentence or a page as usual, never a
broken page, and never a change the sender may not make.

The forms are read off the pages themselves, so a form added later is tried too. Django's test client raises what a
server would answer with status 500.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from clubrating.web.languages import plain_path
from players.models import Player
from ratings.models import RatingList
from tests import desk_scene, factory
from tests.choosing import everything, examples
from tests.reachable import crawl, links_of
from tests.visitor import Form, Page
from tournaments.models import Tournament
from tournaments.rated_games.services.rebuilding import check_list

pytestmark = pytest.mark.django_db
OFTEN = examples(250)

ANSWERS = {200, 302, 303, 304, 400, 403, 404, 405, 409, 413, 429}
VALUES = (
    *("", " ", "-1", "0", "1", "2", "5", "7", "00", "9" * 9, "9" * 22, "1e309", "nan", "inf", "0.5", "1/2", "½", "1-0"),
    *("+", "=", "#1", "#999999999", "None", "on", "true", "[]", "{}", '{"a": 1', "[1, 2]", "null", "1,2,3", "1,1,1-0,"),
    *("2026-02-30", "9999-12-31", "0001-01-01", "2026-01-05", "24:00", "12:30", "31.12.2025"),
    *("٣", "１２", "²", "x\x00y", "\x1b[2J", "\u202etxt", "\ufeff", "a\u0301" * 400, "🂡" * 60, "ſ", "İ", "ﬁ"),
    *("<script>alert(1)</script>", "'; DROP TABLE players_player; --", "{{ 7*7 }}", "%s%n", "../../etc/passwd", "=1+1"),
    *("Ada Alvarez", "x" * 300, "x" * 70_000, "\n" * 500),
    *("publish", "draft", "save", "here", "keep", "undo", "new", "out"),
)
QUESTIONS = (
    *("q", "on", "known", "from", "player", "page", "sort", "order", "o", "p", "e", "show", "round", "sheets", "other"),
    *("white", "black", "rating", "names", "seed", "c", "back", "mirror", "next", "all"),
    *("_popup", "_to_field", "at__gte"),
    *("template", "copy", "year", "edition", "version", "subject_key", "action", "id__exact", "closed__exact"),
)
ODD = st.sampled_from(VALUES) | st.text(max_size=30) | st.integers(-(10**20), 10**20).map(str)


@contextmanager
def nothing_kept() -> Iterator[None]:
    """What is done within is undone again, so that every try finds the same club."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def scene(world: None) -> Tournament:
    return desk_scene.build()


@pytest.fixture
def boss(scene: Tournament) -> Client:
    return desk_scene.client_of(User.objects.get(username="founder"))


@pytest.fixture(scope="module")
def forms(scene: Tournament) -> list[tuple[str, Form]]:
    """Every form of the desk that is sent by POST, with its address, as the administrator gets it."""
    found, boss = [], desk_scene.client_of(User.objects.get(username="founder"))
    for path in admin_paths():
        answer = boss.get(path, follow=True)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            sent = [form for form in Page(answer.text).forms if form.method == "post"]
            found += [(form.action or path, form) for form in sent if "logout" not in form.action]
    assert len(found) > 40
    return found


def admin_paths() -> list[str]:
    return [each.path for each in desk_scene.addresses("admin/") if each.name != "logout"]


@st.composite
def filled(draw: st.DrawFn, form: Form) -> dict[str, object]:
    """The form as it stands, with some fields spoilt, some missing, one that it never had, and one of its buttons."""
    data: dict[str, object] = {name: list(values) for name, values in form.values.items() if name}
    names = sorted(name for name in form.names if name and name not in form.files)
    for name in draw(st.lists(st.sampled_from(names), max_size=6)) if names else []:
        match draw(st.integers(0, 5)):
            case 0:
                data.pop(name, None)
            case 1:
                data[name] = [draw(ODD), draw(ODD)]
            case _:
                data[name] = draw(ODD)
    if draw(st.integers(0, 4)) == 0:
        data[draw(st.sampled_from(["revision", "key", "board-1", "p-1", "seen", "player", "x" * 200]))] = draw(ODD)
    if form.buttons:
        name, value, _words = draw(st.sampled_from(form.buttons))
        if name:
            data[name] = value if draw(st.integers(0, 3)) else draw(ODD)
    return data


def check_ledger() -> None:
    for rating_list in RatingList.objects.all():
        assert not check_list(rating_list)


def test_no_form_of_the_desk_breaks_whatever_is_sent(boss: Client, forms: list[tuple[str, Form]]) -> None:
    """As the administrator, who may do everything: what is accepted leaves a ledger that equals its replay."""

    @OFTEN
    @given(st.data())
    def send(data: st.DataObject) -> None:
        path, form = data.draw(st.sampled_from(forms))
        values = data.draw(filled(form))
        with nothing_kept():
            answer = boss.post(path, values)
            assert answer.status_code in ANSWERS, f"{path}: {answer.status_code}"
            if answer.status_code == 302:
                check_ledger()

    send()


NASTY = ("9" * 22, "²", "2026-02-30", "x\x00y")


@pytest.mark.extended
def test_no_form_of_the_desk_takes_nonsense_amiss(boss: Client, forms: list[tuple[str, Form]]) -> None:
    """The same in every field at once; in short two of the values."""
    for path, form in forms:
        names = form.names - form.files - {"", "csrfmiddlewaretoken"}
        for value in NASTY if everything() else NASTY[:2]:
            with nothing_kept():
                answer = boss.post(path, dict.fromkeys(names, value))
            assert answer.status_code in ANSWERS, f"{path} {value}: {answer.status_code}"


@pytest.mark.slow
def test_no_field_of_the_desk_takes_nonsense_amiss(boss: Client, forms: list[tuple[str, Form]]) -> None:
    """One field at a time, while the rest is what the page says: what stands behind another check is reached too. Of
    fields that differ by a number one is tried, and the buttons take turns."""
    tried = set()
    for path, form in forms:
        buttons = form.buttons or [("", "", "")]
        for name in sorted(form.names - form.files - {"", "csrfmiddlewaretoken"}):
            if (kind := (resolve(urlsplit(path).path).view_name, re.sub(r"[0-9]+", "1", name))) in tried:
                continue
            tried.add(kind)
            button, said, _words = buttons[len(tried) % len(buttons)]
            with nothing_kept():
                answer = boss.post(path, {**form.values, **({button: said} if button else {}), name: NASTY[0]})
            assert answer.status_code in ANSWERS, f"{path} {name}: {answer.status_code}"
    assert len(tried) > 200


@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("kind", ["assistant", "arbiter", "nobody"])
def test_whatever_is_sent_nobody_changes_what_is_not_his(forms: list[tuple[str, Form]], kind: str) -> None:
    """The administrator's forms from somebody who may not send them; an arbiter here runs none of the events."""
    anybodys = ("/login/", "password", "/account/")  # one's own account is one's own
    forms = [each for each in forms if not any(part in each[0] for part in anybodys)]
    makers = {"assistant": factory.make_assistant, "arbiter": factory.make_arbiter}
    sender = desk_scene.client_of(makers[kind]()) if kind in makers else Client()
    for event in Tournament.objects.all():
        event.officers.add(factory.make_arbiter(f"of-{event.pk}"))
    # Seasons, leagues and their clubs stand over events and belong to none: every arbiter keeps them.
    own = ("/admin/players/", "/admin/tournaments/season/", "/admin/tournaments/tournament/add/")
    own += ("/admin/tournaments/league/", "/admin/tournaments/leagueclub/", "/admin/mistakes/")
    own += ("/tournament/new/", "/game/load/", "/report/")
    if kind == "arbiter":
        forms = [each for each in forms if not any(part in each[0] for part in own)]
    before = desk_scene.facts()

    @OFTEN
    @given(st.data())
    def send(data: st.DataObject) -> None:
        path, form = data.draw(st.sampled_from(forms))
        answer = sender.post(path, data.draw(filled(form)))
        assert answer.status_code in ANSWERS, f"{path}: {answer.status_code}"

    send()
    after = desk_scene.facts()
    moved = {name: [row for row in after[name] if row not in before[name]] for name in before}
    assert not {name: rows for name, rows in moved.items() if rows}
    assert after == before


def public_paths() -> set[str]:
    """A page of each kind the public reaches; in short of each to which its main pages lead, without opening it."""
    if everything():
        return {path.split("?")[0] for path, _text in crawl(Client(), most_of_a_view=1)}
    events, person = Tournament.objects.all(), Player.objects.get(number=2)
    main = ("/", "/sitemap.xml", "/api/v1/", "/tools/", "/lab/", "/ratings/standard/", "/players/", "/tournaments/")
    found: dict[str, str] = {}
    for page in (*main, person.get_absolute_url(), *(event.get_absolute_url() for event in events)):
        text = Client().get(page).text
        for link in sorted({*links_of(page, text), *re.findall(r"http://testserver(/[^\s\"<]*)", text)}):
            path = urlsplit(link).path
            if link.startswith("/") and plain_path(path) == path and not path.startswith(("/admin/", "/static/")):
                found.setdefault(resolve(path).view_name, path)
    return set(found.values())


def test_no_address_breaks_whatever_stands_behind_its_question_mark(boss: Client) -> None:
    public = sorted(public_paths())
    assert len(public) > 80
    paths = [*((Client(), path) for path in public), *((boss, path) for path in admin_paths())]

    @OFTEN
    @given(st.data())
    def ask(data: st.DataObject) -> None:
        client, path = data.draw(st.sampled_from(paths))
        query = data.draw(st.dictionaries(st.sampled_from(QUESTIONS), ODD, max_size=4))
        answer = client.get(path, query)
        assert answer.status_code in ANSWERS, f"{path} {query}: {answer.status_code}"

    ask()


def test_no_new_row_begins_with_what_cannot_be(boss: Client) -> None:
    """Django fills the fields of a new row from the address: ?names=x."""
    asked = [path for path in admin_paths() if path.endswith("/add/")]
    assert len(asked) > 5
    for path in asked:
        names = {name for form in Page(boss.get(path, follow=True).text).forms for name in form.names}
        fields = sorted(names | {name.rsplit("_", 1)[0] for name in names})  # a date and a time have a field each
        for value in (" ", "9" * 22, "2026-02-30", "x\x00y", *(("x", "0", "[1]") if everything() else ())):
            answer = boss.get(path, dict.fromkeys(fields, value), follow=True)
            assert answer.status_code in ANSWERS, f"{path} {value}"


def test_a_row_is_not_looked_for_by_a_column_without_a_name(boss: Client) -> None:
    asked = [path for path in admin_paths() if path.endswith(("/change/", "/delete/"))]
    assert len(asked) > 10
    for path in asked:
        assert boss.get(path, {"_to_field": ""}).status_code in ANSWERS, path


# --- files ----------------------------------------------------------------------------------------------------
BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + "]><playerslist><player><name>&i;</name></player></playerslist>"
).encode()
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><playerslist>&a;</playerslist>'


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as parts:
        parts.writestr(name, content)
    return out.getvalue()


def workbook(sheet: bytes) -> bytes:
    """A spreadsheet in name: the parts a reader looks for, one of them the given one."""
    out = io.BytesIO()
    kinds = b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as parts:
        parts.writestr("[Content_Types].xml", kinds)
        parts.writestr("xl/workbook.xml", sheet)
        parts.writestr("xl/worksheets/sheet1.xml", sheet)
    return out.getvalue()


FILES = {
    "empty.csv": b"",
    "noise.csv": bytes(range(256)) * 40,
    "nul.csv": b"name,rating\nA\x00da,1500\n",
    "utf16.csv": "name,rating\nAda,1500\n".encode("utf-16"),
    "wide.csv": b"name" + b",x" * 2_000 + b"\n",
    "widest.csv": b"name" + b",x" * 20_000 + b"\n",
    "long.csv": b"name\n" + b"Ada Alvarez\n" * 60_000,
    "quoted.csv": b'name,rating\n"never closed,1500\n' * 50,
    "formula.csv": b"name\n=HYPERLINK(1)\n+1\n@x\n-1\n",
    "huge.trf": b"001    1      " + b"9" * 200_000,
    "half.trf": b"012 Cup\n001    1 m    Ada",
    "laughs.xlsx": workbook(BILLION_LAUGHS),
    "torn.xlsx": workbook(b"<a/>")[:-40],
    "laughs.xml": BILLION_LAUGHS,
    "outside.xml": OUTSIDE,
    "names.zip": zipped("../../../etc/cron.d/x", b"x"),
}  # fmt: skip


# Files that are small and unpack to so many bytes; made when they are sent.
BOMBS = {"bomb.xlsx": workbook, "bomb.zip": lambda blanks: zipped("list.xml", b"<playerslist>" + blanks)}
UNPACKED = 120_000_000


LONG_TO_READ = ("widest.csv", "long.csv")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG_TO_READ)) for name in (*FILES, *BOMBS)]
)
def test_no_file_breaks_a_page_that_takes_one(boss: Client, forms: list[tuple[str, Form]], name: str) -> None:
    content = BOMBS[name](b" " * UNPACKED) if name in BOMBS else FILES[name]
    takers = [(path, form) for path, form in forms if form.files]
    assert len(takers) >= 3
    for path, form in takers:
        for button, value, _words in form.buttons or [("", "", "")]:
            sent = {field: SimpleUploadedFile(name, content) for field in form.files}
            with nothing_kept():
                answer = boss.post(path, {**form.values, **({button: value} if button else {}), **sent})
                assert answer.status_code in ANSWERS, f"{path}: {answer.status_code}"
                assert "root:" not in answer.text
