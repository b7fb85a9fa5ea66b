"""What an event keeps of a report it came with: lines it has no place for, to leave with its next report.

Kept are the head's federation, type, arbiters, time control, number of rounds and first colour, comments, and every
record this package does not use; and the players' federations, in lines of our own that never stand in a report:
`FED AUS 1 2 5`. What the event itself knows (name, days, players, results) is not in them.
"""

from collections.abc import Iterator
from typing import Any

from tournaments.interchange.trf.head import Head
from tournaments.interchange.trf.cells_lines import numbered_lines
from tournaments.interchange.trf.records import Report
from tournaments.interchange.trf.writer import head_lines, settings_lines

_KEPT_TAGS = ("032", "092", "102", "112", "122")
_OWN = ("name", "city", "starts_on", "ends_on")  # the event's own
_FEDERATIONS = "FED"


def kept_lines(report: Report, used: frozenset[str] = frozenset()) -> str:
    """The lines to keep; records with a tag of `used` are left out."""
    head = [line for line in head_lines(report) if line[:3] in _KEPT_TAGS and line[3:].strip()]
    records = [record.line for record in report.records if record.tag not in used]
    comments = [f"### {comment}" for comment in report.comments]
    return "\n".join([*comments, *head, *settings_lines(report, 26), *_federation_lines(report), *records])


def kept_fields(text: str) -> dict[str, Any]:
    """Kept lines as fields of a report. What cannot be read any more is left out. A second line of what the event
    knows itself is a record, as it was in the report it came with."""
    head = Head([], [], dict.fromkeys(_OWN, ""))
    for line in numbered_lines(text.encode())[0]:
        if line.tag != _FEDERATIONS:
            head.read(line)
    return {name: value for name, value in head.fields().items() if name not in _OWN}


def kept_federations(text: str) -> dict[int, str]:
    """The federations of the players, by number."""
    found: dict[int, str] = {}
    for line in numbered_lines(text.encode())[0]:
        if line.tag == _FEDERATIONS:
            code, *numbers = line.said.split()
            found |= {int(number): code for number in numbers if number.isascii() and number.isdigit()}
    return found


def _federation_lines(report: Report) -> Iterator[str]:
    players: dict[str, list[str]] = {}
    for player in report.players:
        if player.federation and " " not in player.federation:
            players.setdefault(player.federation, []).append(str(player.number))
    yield from (f"{_FEDERATIONS} {code} {' '.join(numbers)}" for code, numbers in players.items())
