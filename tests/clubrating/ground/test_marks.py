"""Words of pure code: an English text that can be said in every language."""

import copy
import pickle
from collections.abc import Iterator

import pytest
from django.utils import translation

from clubrating.ground.marks import Sentence, marked, sentence
from players.refusals import said

WORDS = {
    "Round %(round)s takes %(kind)s.": "Тур %(round)s: %(kind)s.",
    "byes": "«баи»",
    "100 % played": "100 % партий",
}


@pytest.fixture
def russian(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("players.refusals._", lambda text: WORDS.get(text, text))
    with translation.override("ru"):
        yield


def test_a_marked_text_is_the_text() -> None:
    assert marked("Buchholz") == "Buchholz"


def test_a_sentence_is_its_english_text() -> None:
    text = sentence("Round %(round)s takes %(kind)s.", round=3, kind="byes")
    assert text == "Round 3 takes byes."
    assert f"{ValueError(text)}" == "Round 3 takes byes."


def test_an_error_keeps_the_sentence_it_was_made_with() -> None:
    assert isinstance(str(ValueError(sentence("Round %(round)s", round=1))), Sentence)


@pytest.mark.parametrize("copied", [lambda told: pickle.loads(pickle.dumps(told)), copy.copy])
def test_a_sentence_outlives_a_cache(copied: object) -> None:
    again = copied(sentence("Round %(round)s", round=2))  # type: ignore[operator]
    assert (again, again.text, again.values) == ("Round 2", "Round %(round)s", {"round": 2})


def test_a_sentence_and_the_words_in_it_are_said_in_the_language_of_the_page(russian: None) -> None:
    text = sentence("Round %(round)s takes %(kind)s.", round=3, kind=marked("byes"))
    assert said(text) == said(ValueError(text)) == "Тур 3: «баи»."


def test_a_text_without_values_may_hold_a_per_cent(russian: None) -> None:
    assert said(sentence("100 % played")) == said("100 % played") == "100 % партий"


def test_what_is_in_no_catalogue_is_said_as_it_is(russian: None) -> None:
    assert said("Ada Alvarez") == "Ada Alvarez"
    assert said("") == ""
