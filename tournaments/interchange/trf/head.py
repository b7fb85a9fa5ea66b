"""Everything of a report that is no player, and what an event keeps of it.

`Head` reads the head (012 to 132), rounds and first colour, kept records, comments. TRF16 says the rounds in XXR and
the first colour in XXC, TRF26 in 142 and 152. Counts (062, 072, 082) are not kept: they are counted again. A second
line of a tag that stands once is kept as it came, like every record not named here.

`kept_lines`: what an event keeps of a report it was imported from, lines that have no field of their own, to be written
into its next report. Kept are the head's federation, type, arbiters, time control, number of rounds and first colour,
comments, and every record this package does not use; and the players' federations, in lines of our own that never stand
in a report: `FED AUS 1 2 5`. What the event itself knows (name, days, players, results) is not in them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from clubrating.ground.marks import sentence
from clubrating.ground.numbers import number_in, whole_number
from tournaments.interchange.trf.cells import Line, numbered_lines, read_day
from tournaments.interchange.trf.records import BLACK, WHITE, Note, Record, Report
from tournaments.interchange.trf.rows import head_lines, settings_lines

# --- the head -----------------------------------------------------------------------------------------------------
TEXTS = {"012": "name", "022": "city", "032": "federation", "092": "kind", "102": "chief_arbiter"}
TEXTS["122"] = "time_control"
DAYS = {"042": "starts_on", "052": "ends_on"}
COUNTS = ("062", "072", "082")  # players, rated players, teams
_ROUND_DAYS_FROM, _ROUND_DAY_WIDTH = 92, 10
# Records that say what counts (`terms`), and those that say nothing of points, colours or rules of single players.
TERMS = frozenset(["162", "192", "240", "250", "260", "299", "XXS", "XXZ", "XXP", "XXA"])
TERMS |= frozenset(["BBW", "BBD", "BBL", "BBU", "BBZ", "BBF"])
TEAMS = frozenset(["013", "300", "310", "320", "330", "352", "362", "801", "802"])
KNOWN = TERMS | TEAMS | frozenset(["172", "182", "202", "212", "222"])
# Records that must not be lost because no blank follows their tag, or one stands before it, or it is in small letters.
_COUNTING = TERMS | frozenset(["001", "042", "142", "152", "XXR", "XXC"])
_NATIONAL = re.compile("[A-Z]{3} +[0-9]{1,4} ")  # a player's national rating, under the code of the federation
_TAG = re.compile(r"[0-9A-Z]{3}")
_FIRST_COLOURS = {"white1": WHITE, "black1": BLACK, "w": WHITE, "b": BLACK}
_DATE = re.compile(r"[0-9]{2,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}")


@dataclass(slots=True)
class Head:
    """Gathers the lines of one file, one after the other. `problems` and `notes` are the caller's."""

    problems: list[Note]
    notes: list[Note]
    values: dict[str, Any] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    round_days: list[date | None] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    counts: dict[str, Line] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)  # the lines of texts, by tag

    def read(self, line: Line) -> None:
        """One line that is no player's."""
        tag = line.tag
        if not _TAG.fullmatch(tag) or line.text.startswith("DDD SSS"):
            self._comment(line)
        elif tag in TEXTS and TEXTS[tag] not in self.values:
            self.values[TEXTS[tag]] = line.said
            self.places[tag] = line.number
        elif tag in DAYS and DAYS[tag] not in self.values:
            self._day(line)
        elif tag in COUNTS:
            self.counts.setdefault(tag, line)
        elif tag == "112":
            self.deputies.append(line.said)
        elif tag == "132":
            self._round_days(line)
        elif tag in ("142", "XXR"):
            self._rounds(line)
        elif tag in ("152", "XXC"):
            self._colours(line)
        else:
            self._keep(line)

    def fields(self) -> dict[str, Any]:
        """What was gathered, by the names of a report's fields."""
        while self.round_days and self.round_days[-1] is None:
            self.round_days.pop()
        return {
            **self.values,
            "deputies": tuple(name for name in self.deputies if name),
            "round_days": tuple(self.round_days),
            "records": tuple(self.records),
            "comments": tuple(self.comments),
        }

    def _comment(self, line: Line) -> None:
        written = line.text.strip()
        if (tag := written[:3].upper()) in _COUNTING:
            problem = sentence(
                "“%(written)s” is no record: expected %(tag)s at the start of the line, then a blank",
                written=written[:20],
                tag=tag,
            )
            self.problems.append(Note(line.number, 1, problem))
            return
        if not written.startswith("#") and not _is_ruler(written):
            note = sentence("“%(written)s” is no record and kept as a comment", written=written[:20])
            self.notes.append(Note(line.number, 1, note))
        if text := written.lstrip("#").strip():
            self.comments.append(text)

    def _day(self, line: Line) -> None:
        day = read_day(line.said)
        self.values[DAYS[line.tag]] = day
        if line.said and day is None:
            text = sentence("“%(said)s” is no day and left out: expected YYYY/MM/DD", said=line.said)
            self.notes.append(Note(line.number, 5, text))

    def _round_days(self, line: Line) -> None:
        if len(line.text) < _ROUND_DAYS_FROM:  # TRF26 files have a line for each round
            days = _DATE.findall(line.said)
            if rest := _DATE.sub(" ", line.said).split():
                days += [" ".join(rest)]
            self.round_days += [self._round_day(line, day) for day in days]
            return
        row = line.text[_ROUND_DAYS_FROM - 1 :].rstrip()
        slots = [row[at : at + _ROUND_DAY_WIDTH] for at in range(0, len(row), _ROUND_DAY_WIDTH)]
        self.round_days += [self._round_day(line, slot) for slot in slots]

    def _round_day(self, line: Line, text: str) -> date | None:
        day = read_day(text)
        if day is None and text.strip():
            said = sentence("“%(said)s” is no day and left out: expected YYYY/MM/DD", said=text.strip())
            self.notes.append(Note(line.number, 5, said))
        return day

    def _rounds(self, line: Line) -> None:
        written = line.said
        if not 0 < number_in(written) < 1000:
            text = sentence("“%(written)s” is no number of rounds: expected a whole number", written=written[:20])
            self.problems.append(Note(line.number, 5, text))
            return
        said = self.values.setdefault("rounds", int(written))
        if said != int(written):
            text = sentence("%(written)s rounds here, %(said)s before: the first counts", written=written, said=said)
            self.notes.append(Note(line.number, 5, text))

    def _colours(self, line: Line) -> None:
        """Who has White first, and whether numbers follow the ranks."""
        for word in line.said.casefold().split():
            colour = _FIRST_COLOURS.get(word, "")
            if word == "rank":
                self.values["by_rank"] = True
            elif not colour or self.values.setdefault("first_colour", colour) != colour:
                text = sentence(
                    "“%(word)s” is not known or contradicts another line: expected W or B, white1, black1 or rank",
                    word=word,
                )
                self.problems.append(Note(line.number, 5, text))
        if not line.said:
            self._note_empty(line)

    def _keep(self, line: Line) -> None:
        """A record nobody here has a field for; the reader is told of tags that are not known, once each."""
        tag = line.tag
        if tag in TEXTS or tag in DAYS:
            text = sentence("a second line %(tag)s is kept and not used", tag=tag)
            self.notes.append(Note(line.number, 1, text))
        elif tag not in KNOWN and line.text[3:].strip() and not any(record.tag == tag for record in self.records):
            if not _NATIONAL.match(line.text):
                self.notes.append(Note(line.number, 1, sentence("%(tag)s is no known record: kept, not used", tag=tag)))
        elif tag in TERMS and not line.said:
            self._note_empty(line)
        self.records.append(Record(tag, line.text, line.number))

    def _note_empty(self, line: Line) -> None:
        self.notes.append(Note(line.number, 5, sentence("%(tag)s says nothing", tag=line.tag)))


def _is_ruler(written: str) -> bool:
    """Whether a line shows columns: DDD SSSS sTTT NNN…, or figures counting up."""
    if written.startswith("DDD SSS"):
        return True
    is_head = written[:3] in TEXTS or written[:3] in DAYS or written[:3] in COUNTS or written[:3] in KNOWN
    return bool(re.fullmatch(r"[0-9 .|-]+", written)) and (not is_head or written.startswith("01234"))


# --- what an event keeps ------------------------------------------------------------------------------------------
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
            found |= {int(number): code for number in numbers if whole_number(number) is not None}
    return found


def _federation_lines(report: Report) -> Iterator[str]:
    players: dict[str, list[str]] = {}
    for player in report.players:
        if player.federation and " " not in player.federation:
            players.setdefault(player.federation, []).append(str(player.number))
    yield from (f"{_FEDERATIONS} {code} {' '.join(numbers)}" for code, numbers in players.items())
