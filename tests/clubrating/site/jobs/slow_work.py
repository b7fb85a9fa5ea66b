"""Work that goes on until its worker is killed, and is done at once the second time; run by workers of a test."""

import time
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django_tasks import task

from clubrating.site.jobs import services
from players.models import Job
from tournaments.forecast.outlook import Tell


def begin(name: str) -> int:
    """Which time this is; the first time does not end."""
    note = Path(settings.DATA_DIR) / name
    with note.open("a") as stream:
        stream.write(".")
    times = len(note.read_text())
    if times == 1:
        time.sleep(600)
    return times


@task()
def mail() -> None:
    """Stands for every task that is no chunk."""
    begin("mail")


def answer(job: Job, tell: Tell) -> int:
    """Stands for the answerer of a question."""
    return begin("chunk")


def work(*words: str) -> None:
    """A worker to whom forecasts are slow."""
    services.ANSWERERS = {**services.ANSWERERS, "forecast": answer}
    call_command("db_worker", "--no-startup-delay", "--no-reload", "--verbosity=0", *words)
