"""The glossary: every word once, with an anchor that stays, in the page's language and beside it in English."""

import re

import pytest
from django.test import Client

from clubrating.site.glossary.words import chapters
from players.models import Club
from tournaments.standings.tiebreaks import TIEBREAKS

pytestmark = pytest.mark.django_db
TERMS = [term for chapter in chapters() for term in chapter.terms]


def test_every_term_has_one_anchor_and_one_sentence() -> None:
    keys = [term.key for term in TERMS]
    assert len(keys) == len(set(keys)) > 60
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", key) for key in keys)
    assert all(term.meaning.endswith(".") and len(term.meaning) < 140 for term in TERMS)


def test_every_tie_break_is_explained_under_its_code() -> None:
    assert {rule.base for rule in TIEBREAKS} <= {term.key for term in TERMS}


def test_the_page_explains_in_its_language_and_names_the_english_word(client: Client, club: Club) -> None:
    english = client.get("/about/glossary/").text
    assert 'id="term-probation"' in english
    assert 'id="term-BH"' in english
    assert 'lang="en">Expected score' not in english
    assert '<span class="note" lang="en">Expected score</span>' in client.get("/ru/about/glossary/").text


def test_every_page_leads_to_the_glossary(client: Client, club: Club) -> None:
    assert 'href="/about/glossary/"' in client.get("/players/").text
    assert 'href="/zh-hans/about/glossary/"' in client.get("/zh-hans/players/").text
