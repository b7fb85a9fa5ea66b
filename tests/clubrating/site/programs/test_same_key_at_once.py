"""One request sent by several at once under one key: a single deed, and the same answer for all; on both databases."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live import Site

PREPARE = """
from pathlib import Path
from django.conf import settings
from players.programs.services import make_token
from tests import factory
factory.make_club(); factory.make_list()
factory.make_round_robin(factory.make_players(4))
secret = make_token(officer=factory.make_arbiter(), name="Door", scopes=["results"], days=1)[1]
(Path(settings.DATA_DIR) / "token").write_text(secret)
"""
SEND = """
import django; django.setup()
from pathlib import Path
from django.conf import settings
from tests.clubrating.site.programs.program_cases import BOARD, Program
settings.ALLOWED_HOSTS = ["testserver"]
program = Program((Path(settings.DATA_DIR) / "token").read_text())
print([(answer.status_code, answer.text) for answer in
       [program.post(f"{BOARD}result/", {"result": "1-0"}, key=f"k{n}") for n in range(5)]])
"""
COUNT = """
import django; django.setup()
from players.models import ApiAnswer, AuditEvent
print(AuditEvent.objects.filter(action="result.recorded").count(), ApiAnswer.objects.count())
"""


def send_at_once(site: Site) -> None:
    """Five keys one after another from each of four; the first key's deed is done, the others are refused."""
    site.prepare(PREPARE, arbiters=0)
    with ThreadPoolExecutor() as crowd:
        answers = {done.result() for done in [crowd.submit(site.run, "-c", SEND) for _ in range(4)]}
    assert len(answers) == 1
    assert site.run("-c", COUNT).split() == ["1", "1"]


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_the_same_key_at_once_is_one_deed(tmp_path: Path) -> None:
    send_at_once(Site(tmp_path))


@pytest.mark.slow
def test_the_same_key_at_once_is_one_deed_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    send_at_once(Site(tmp_path, migrated_postgres))
