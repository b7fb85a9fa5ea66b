"""What an allocated bye is worth in a report that does not say it: a win in a Swiss, whatever the column of points."""

from fractions import Fraction

import pytest

from tests.tournaments.interchange.trf_files import report, row
from tournaments.interchange.pairing_of_report import points_in
from tournaments.interchange.trf import Report, ReportError
from tournaments.interchange.trf.games import worths

SWISS = "092 Individual: Swiss-System"


def three(*lines: str, points: str) -> Report:
    rows = [row(1, "2 w 1", points="1.0"), row(2, "1 b 0", points="0.0"), row(3, "- - U", points=points)]
    return report(*lines, "XXR 5", *rows)


def test_in_a_swiss_it_is_a_win_whatever_the_column_says_unless_the_report_says_so() -> None:
    for points in ("1.0", "0.0", "0.5", ""):
        assert worths(three(SWISS, points=points)).allocated == worths(three(points=points)).allocated == 1
    for line, worth in (("XXS PAB=0.5", "1/2"), ("XXS W=3 D=1 PAB=1,5", "3/2"), ("BBU 0.0", "0")):
        assert worths(three(SWISS, line, points="0.0")).allocated == Fraction(worth)
    for points in ("0.0", "1.0"):
        assert worths(three("092 Round robin", points=points)).allocated == Fraction(points), "a free day"


def test_points_that_cannot_be_read_are_refused() -> None:
    for line in ("XXS W=abc", "XXS W 3", "XXS W=3; D=1"):
        with pytest.raises(ReportError, match="points such as W=3"):
            points_in(three(SWISS, line, points="1.0"))
