"""The site as an app: the manifest in the page's language, and a worker that knows what it may keep."""

import json

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from players.models import Club

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("prefix", "ratings"), [("", "Ratings"), ("/ru", "Рейтинги")])
def test_the_manifest_is_in_the_language_of_its_page(client: Client, club: Club, prefix: str, ratings: str) -> None:
    answer = client.get(f"{prefix}/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    found = json.loads(answer.content)
    assert (found["name"], found["start_url"]) == (club.name, f"{prefix}/")
    assert ratings in [each["name"] for each in found["shortcuts"]]
    Club.objects.update(name=club.name.ljust(12, "."))
    assert json.loads(client.get(f"{prefix}/manifest.webmanifest").content)["short_name"] == "Test Club..."
    for icon in found["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
    assert f'href="{prefix}/manifest.webmanifest"' in client.get(f"{prefix}/").text


def test_the_worker_comes_from_the_root_and_names_the_page_of_every_language(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"] == "text/javascript"
    known = json.loads(answer.text.split("\n", 1)[0].removeprefix("const KNOWN = ").removesuffix(";"))
    assert known["offline"]["zh-hant"] == "/zh-hant/offline/"
    assert all(finders.find(name.removeprefix("/static/")) for name in known["files"])
