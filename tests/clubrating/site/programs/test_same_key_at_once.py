"""One request sent by several at once under one key: a single deed, and the same answer for all; on both databases."""

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
# Four processes begin at the same moment; how many different answers they had, and what was done.
SEND = """
import django; django.setup()
from multiprocessing import get_context
from pathlib import Path
from django.conf import settings
from clubrating import urls  # loaded once, before the processes part
from players.models import ApiAnswer, AuditEvent
from tests.clubrating.site.programs.program_cases import BOARD, Program
settings.ALLOWED_HOSTS = ["testserver"]
program = Program((Path(settings.DATA_DIR) / "token").read_text())
begin = get_context("fork").Barrier(4)
def send(_number):
    begin.wait()
    return str([(answer.status_code, answer.text) for answer in
                [program.post(f"{BOARD}result/", {"result": "1-0"}, key=f"k{n}") for n in range(5)]])
with get_context("fork").Pool(4) as crowd:
    answers = crowd.map(send, range(4), chunksize=1)
print(len(set(answers)), AuditEvent.objects.filter(action="result.recorded").count(), ApiAnswer.objects.count())
"""


def send_at_once(site: Site) -> None:
    """Five keys one after another from each of four; the first key's deed is done, the others are refused."""
    site.prepare(PREPARE, arbiters=0)
    assert site.run("-c", SEND).split() == ["1", "1", "1"]


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_the_same_key_at_once_is_one_deed(tmp_path: Path) -> None:
    send_at_once(Site(tmp_path))


@pytest.mark.slow
def test_the_same_key_at_once_is_one_deed_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    send_at_once(Site(tmp_path, migrated_postgres))
