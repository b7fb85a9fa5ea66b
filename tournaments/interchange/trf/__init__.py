"""Tournament reports, TRF16 and TRF26 (pure): the files arbiters send to FIDE and programs exchange.

`records` what a report holds · `cells` lines, days, and one round of a player · `rows` a player's line, and a report
written · `games` what two rows say of one game · `head` all that is no player, and what an event keeps of it ·
`reader` the whole file. docs/files.md says what is read, written, and left.
"""

from tournaments.interchange.trf.reader import LARGEST, read_report, unused_teams
from tournaments.interchange.trf.records import Cell, Note, Record, Report, ReportError, ReportPlayer
from tournaments.interchange.trf.rows import VERSIONS, write_report

__all__ = [
    "LARGEST",
    "VERSIONS",
    "Cell",
    "Note",
    "Record",
    "Report",
    "ReportError",
    "ReportPlayer",
    "read_report",
    "unused_teams",
    "write_report",
]
