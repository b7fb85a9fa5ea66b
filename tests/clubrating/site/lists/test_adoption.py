"""The rule a proposal hands to the administration's form, and what it is called."""

import pytest
from django.test import Client
from django.urls import reverse

from clubrating.site.research.forms import proposed_rule
from clubrating.site.research.proposed import rule_name
from ratings.models import RatingList
from tests import factory

pytestmark = pytest.mark.django_db


def test_a_rule_in_a_few_words() -> None:
    for system, settings, name in (
        ("elo", {}, "Elo, club rules"),
        ("elo", {"preset": "uscf"}, "Elo, K 32, 24, 16"),
        ("elo", {"preset": "constant"}, "Elo, K 32 for everybody"),
        ("elo", {"preset": "constant", "k": 12.5}, "Elo, K 12.5"),
        ("elo", {"preset": "xiangqi", "k_rule": "constant", "k": 20.0}, "Elo, xiangqi, K 20"),
        ("elo", {"preset": "club", "scale": 200}, "Elo, club rules; scale = 200"),
        ("glicko2", {}, "Glicko-2"),
        ("no-more", {}, "no-more"),
    ):
        assert rule_name(system, settings) == name


@pytest.mark.extended
def test_an_address_that_proposes_nonsense_proposes_nothing(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_rating_officer())
    plain = {"valid_from": "2026-01-01", "system": "elo", "settings": "{}"}
    wrong = (
        {"valid_from": "soon"},
        {"system": "no-more"},
        {"settings": '{"colour": 1}'},
        {"settings": "7"},
        {"settings": "[" * 9000},
    )
    for asked in ({}, *(plain | each for each in wrong)):
        assert proposed_rule(asked) is None
        page = client.get(reverse("admin:ratings_ratinglist_change", args=[standard.pk]), asked)
        assert page.status_code == 200
        assert len(page.context["inline_admin_formsets"][0].formset.forms) == 1
