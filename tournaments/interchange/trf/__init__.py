"""Tournament reports, TRF16 and TRF26 (pure): the files arbiters send to FIDE and programs exchange.

`records` what a report holds · `lines` bytes to numbered lines · `days` the spellings of a date · `rows` one player's
line · `cells` one round of it · `games` what two rows say of one game · `head` everything that is no player ·
`reader` the whole file ·
`writer` and back · `kept` what an event keeps of it. docs/files.md says what is read, written, and left.
"""

from tournaments.interchange.trf.reader import LARGEST, read_report
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
    "write_report",
]
