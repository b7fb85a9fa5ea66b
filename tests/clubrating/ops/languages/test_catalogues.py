"""The catalogues: what is read off the code, what stays of a file that is brought up to date, what is complained of."""

from io import StringIO
from pathlib import Path

import polib
import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import ngettext, override

from clubrating.ops.languages import catalogues as checking
from clubrating.ops.languages import catalogues as keeping
from clubrating.ops.languages.catalogues import compile_texts, complaints, locales, merged, text_file, update
from clubrating.ops.languages.marked_words import (
    Message,
    UnreadableMarkError,
    _one_plural_each,
    of_python,
    of_template,
    placeholders,
)

ROUND = Message("Round %(number)s")
GAMES = Message("%(count)s game", "%(count)s games")
FOUND = {ROUND: ["a.py"], GAMES: ["a.py", "templates/b.html"]}


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object) -> Path:
    """Catalogues of the test's own."""
    for module in (keeping, checking):
        monkeypatch.setattr(module, "read_text", keeping.read_text)
    monkeypatch.setattr(keeping, "text_file", lambda locale: tmp_path / "text" / f"{locale}.po")
    settings.LOCALE_PATHS = [tmp_path / "compiled"]  # type: ignore[attr-defined]
    return tmp_path


def translate(locale: str, **texts: str) -> None:
    """Write those translations into the file: round=…, games=… (the same in every form)."""
    path = keeping.text_file(locale)
    file = polib.pofile(str(path))
    for entry in file:
        if entry.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, texts.get("games", ""))
        else:
            entry.msgstr = texts.get("round", "")
    keeping.write_whole(path, str(file).encode() + b"\n")


# --- reading --------------------------------------------------------------------------------------------------
def test_python_is_read_by_what_it_imports() -> None:
    source = """
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext, pgettext
from clubrating.ground.marks import marked, sentence
name = _("Long sentence, "
         "in two parts")
_now("one"); ngettext("%(n)s game", "%(n)s games", 3); pgettext("a fit", "form")
marked("Rule"); sentence("Round %(round)s", round=1)
_(name); other("not marked"); gettext("not imported")
"""
    assert list(of_python(source, "a.py")) == [
        Message("Long sentence, in two parts"),
        Message("one"),
        Message("%(n)s game", "%(n)s games"),
        Message("form", context="a fit"),
        Message("Rule"),
        Message("Round %(round)s"),
    ]


@pytest.mark.parametrize("call", ['_(f"Round {number}")', '_("Round " + number)', '_("Round %s" % number)'])
def test_a_string_put_together_before_it_is_looked_up_is_refused(call: str) -> None:
    with pytest.raises(UnreadableMarkError, match=r"a\.py:2"):
        list(of_python(f"from django.utils.translation import gettext as _\n{call}", "a.py"))


def test_templates_are_read_as_django_reads_them() -> None:
    source = """<p title="{% translate 'Say “it”' %}">{{ _("constant") }}{% translate "may" context "verb" %}
{% blocktranslate with name=x %}Team {{ name }}, 50 %{% endblocktranslate %}
{% blocktranslate count n=n %}One game{% plural %}{{ n }} games{% endblocktranslate %}
{% blocktranslate trimmed %}
  Two
  lines{% endblocktranslate %}{% translate variable %} gettext("of the page") {# _("a remark") #}"""
    assert list(of_template(source, "b.html")) == [
        Message("Say “it”"),
        Message("constant"),
        Message("may", context="verb"),
        Message("Team %(name)s, 50 %%"),
        Message("One game", "%(n)s games"),
        Message("Two lines"),
    ]


def test_one_entry_serves_a_string_with_and_without_plural_only_where_its_values_are_the_same() -> None:
    with_plural, without = Message("and %(more)s more", "and %(more)s more"), Message("and %(more)s more")
    assert _one_plural_each({without: ["a.py"], with_plural: ["b.py"]}) == {with_plural: ["a.py", "b.py"]}
    with pytest.raises(UnreadableMarkError, match=r"a\.py.*b\.py"):
        _one_plural_each({Message("The page"): ["a.py"], Message("The page", "All %(n)s pages"): ["b.py"]})
    with pytest.raises(UnreadableMarkError):
        _one_plural_each({Message("game", "games"): ["a.py"], Message("game", "plays"): ["b.py"]})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain", []),
        ("%(a)s of %(b)s", ["%(a)s", "%(b)s"]),
        ("50 %% of %s", ["%%", "%s"]),
        ("from {low} to {high:g}", ["{high:g}", "{low}"]),
        ("50 % of all", []),
    ],
)
def test_placeholders_are_what_values_are_put_into(text: str, found: list[str]) -> None:
    assert placeholders(text) == found


# --- keeping --------------------------------------------------------------------------------------------------
def test_an_update_keeps_translations_adds_the_new_and_drops_the_gone(texts: Path) -> None:
    assert update(FOUND, "ru").added == 2
    translate("ru", round="Тур %(number)s", games="%(count)s партий")
    again = update({Message("New"): ["0.py"], ROUND: ["c.py"]}, "ru")
    assert (again.added, again.dropped, again.empty) == (1, 1, 1)
    text = keeping.text_file("ru").read_text(encoding="utf-8")
    assert '#: c.py\n#, python-format\nmsgid "Round %(number)s"\nmsgstr "Тур %(number)s"' in text
    assert "партий" not in text


def test_an_update_without_change_touches_no_file(texts: Path) -> None:
    update(FOUND, "ru")
    before = keeping.text_file("ru").stat().st_mtime_ns
    update(FOUND, "ru")
    assert keeping.text_file("ru").stat().st_mtime_ns == before


def test_files_name_no_lines_so_that_moving_code_changes_nothing(texts: Path) -> None:
    update(FOUND, "ru")
    assert "#: a.py templates/b.html\n" in keeping.text_file("ru").read_text(encoding="utf-8")


def test_every_language_but_english_has_a_catalogue_with_its_forms() -> None:
    assert locales() == ["ru", "zh_Hans", "zh_Hant"]
    assert [keeping.forms_of(locale) for locale in locales()] == [3, 1, 1]
    entry = merged(polib.POFile(), FOUND, "ru").find("%(count)s game")
    assert set(entry.msgstr_plural) == {0, 1, 2}


def test_texts_are_compiled_once_and_again_after_a_change(texts: Path) -> None:
    update(FOUND, "ru")
    translate("ru", round="Тур %(number)s", games="x %(count)s")
    assert compile_texts() == ["ru"]
    assert compile_texts() == []
    translate("ru", round="Раунд %(number)s", games="x %(count)s")
    assert compile_texts() == ["ru"]
    assert "Раунд" in polib.mofile(str(keeping.compiled_file("ru"))).find("Round %(number)s").msgstr


@pytest.mark.parametrize(("number", "form"), [(1, "0"), (21, "0"), (2, "1"), (104, "1"), (5, "2"), (11, "2")])
def test_russian_counts_in_three_forms(texts: Path, number: int, form: str) -> None:
    update(FOUND, "ru")
    file = polib.pofile(str(keeping.text_file("ru")))
    file.find("%(count)s game").msgstr_plural = {0: "0", 1: "1", 2: "2"}
    keeping.write_whole(keeping.text_file("ru"), str(file).encode())
    compile_texts()
    with override("ru"):
        assert ngettext("%(count)s game", "%(count)s games", number) == form


# --- checking -------------------------------------------------------------------------------------------------
def reasons(locale: str = "ru") -> list[str]:
    return [complaint.reason for complaint in complaints(FOUND, locale)]


def test_a_complete_file_is_not_complained_of(texts: Path) -> None:
    update(FOUND, "ru")
    translate("ru", round="Тур %(number)s", games="%(count)s партий")
    assert reasons() == []


def test_what_is_not_translated_is_named(texts: Path) -> None:
    update(FOUND, "ru")
    assert reasons() == ["not translated", "not translated"]


@pytest.mark.parametrize("wrong", ["Тур", "Тур %(nummer)s", "Тур %(number)s %(number)s", "Тур %(number)s %%"])
def test_a_lost_or_invented_value_is_named(texts: Path, wrong: str) -> None:
    update(FOUND, "ru")
    translate("ru", round=wrong, games="%(count)s партий")
    assert len(reasons()) == 1
    assert "placeholders" in reasons()[0]


def test_every_form_needs_the_count_since_21_takes_the_first(texts: Path) -> None:
    one = {Message("One game", "%(count)s games"): ["a.py"]}
    update(one, "ru")
    translate("ru", games="партия")
    assert "placeholders" in next(complaints(one, "ru")).reason


def test_a_blank_at_the_edge_a_doubt_and_an_old_file_are_named(texts: Path) -> None:
    update({ROUND: ["a.py"]}, "ru")
    translate("ru", round=" Тур %(number)s")
    path = keeping.text_file("ru")
    path.write_text(path.read_text(encoding="utf-8").replace("#, python", "#, fuzzy, python"), encoding="utf-8")
    found = reasons()
    assert "not up to date" in found[0]
    assert any("fuzzy" in reason for reason in found)
    assert any("blanks" in reason for reason in found)


# --- the command ----------------------------------------------------------------------------------------------
def run(what: str) -> str:
    out = StringIO()
    call_command("messages", what, stdout=out)
    return out.getvalue()


@pytest.mark.slow
def test_the_command_updates_checks_and_compiles(texts: Path) -> None:
    assert "ru: " in run("update")
    with pytest.raises(CommandError, match="to mend") as refused:
        run("check")
    assert refused.value.returncode == 1
    assert "ru: compiled" in run("compile")
    assert run("compile") == ""


def test_the_catalogues_lie_with_the_code_and_no_compiled_file_does() -> None:
    folder = text_file("ru").parent
    assert folder.as_posix().endswith("clubrating/locale/ru/LC_MESSAGES")
    assert not list(folder.glob("*.mo"))
