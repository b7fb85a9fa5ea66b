"""Every action that a service writes into the audit trail has words of its own."""

import re

import pytest

from tests import ROOT
from tournaments.trail.action_words import ACTIONS, action_in_words
from tournaments.undo.services.undo import UNDOABLE, UNDONE

APPS = ("clubrating", "players", "ratings", "tournaments")
# Words before the dot, as in "round.paired"; what else is written so are modules and files.
_WRITTEN = re.compile(r'"([a-z-]+\.[a-z_-]+)"')
_NO_ACTIONS = re.compile(r"^tournaments\.|\.(urls|settings|json|lock|html|txt|csv|xlsx?|zip|wsgi|trf|pgn)$")


def written() -> set[str]:
    """All actions in the code that writes them."""
    texts = [path.read_text() for app in APPS for path in (ROOT / app).rglob("*.py")]
    services = [text for text in texts if "write_audit" in text or "READ = " in text]
    return {word for text in services for word in _WRITTEN.findall(text) if not _NO_ACTIONS.search(word)}


def test_every_action_that_is_written_has_words_said_once_and_no_others_have() -> None:
    found = written()
    assert "officer.unlocked" in found, "looks where the actions are"
    assert found == set(ACTIONS)
    said = [str(words) for words in ACTIONS.values()]
    assert len(set(said)) == len(said)
    assert not [words for words in said if "." in words or "_" in words], "no codes"


@pytest.mark.extended
def test_every_action_is_named_in_a_test() -> None:
    """No page needs a line of the trail: only a test of the service that writes it notices when it is gone."""
    texts = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    unnamed = sorted(action for action in ACTIONS if f'"{action}"' not in texts)
    assert not unnamed, f"Assert these lines in tests of their services, with `factory.told`: {', '.join(unnamed)}"


def test_what_was_undone_says_so_and_an_action_of_an_older_version_is_read_by_its_parts() -> None:
    assert action_in_words("rounds.deleted") == "all rounds deleted"
    for action in UNDOABLE:
        assert action_in_words(action + UNDONE) == f"undone: {action_in_words(action)}"
    assert action_in_words("round.hand-paired") == "round hand paired"
