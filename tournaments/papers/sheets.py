"""The papers as they are drawn: the arbiter's report on one sheet, and certificates. Facts in, a PDF out.

The arbiter's report has the facts that FIDE's form for tournament reports asks for, in words and a layout of our own;
what is not known has a line to be filled in by hand. Title norms are not worked out here: there is a line for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubrating.ground.figures import fraction_text
from clubrating.ground.pdf import A4, A5, Pages, Size, unwritable
from clubrating.web.formatting import day_text, span_text
from players.models import Player
from players.privacy.rules import OFFICER, shown_name, shown_reading
from players.refusals import listed, sign
from tournaments.models import PrizeFund, Tournament
from tournaments.papers.selectors import Certified, Session, Summary
from tournaments.prizes.selectors import Winner
from tournaments.reports.selectors import PROGRAM
from tournaments.templatetags.prizes import money, share_name

_MARGIN, _LABELS, _SIZE = 50.0, 165.0, 9.5
_MOST_SESSIONS = 24  # of a longer event only first and last
_SIZES = {"a4": A4, "a5": A5}


def language() -> str:
    """The language the page is in, as a document names it."""
    return get_language() or "en"


# --- the arbiter's report -----------------------------------------------------------------------------------------
def arbiter_report(tournament: Tournament, summary: Summary, *, club: str, system: str) -> bytes:
    """The report on one sheet of A4; `system` is the format in words."""
    title = f"{_('Arbiter’s tournament report')}{sign(': ')}{tournament.name}"
    sheet = _Sheet(Pages(title, language=language(), author=club))
    sheet.head(_("Arbiter’s tournament report"), club)
    sheet.part(_("Event"), _event_rows(tournament, summary, club))
    sheet.part(_("Play"), _play_rows(summary, system))
    sheet.part(_("Players"), _player_rows(summary))
    sheet.part(_("Arbiters"), _arbiter_rows(summary))
    sheet.part(_("Appeals, remarks, norms"), _remark_rows(summary))
    sheet.signatures([_("Chief arbiter, date"), _("Federation, date")])
    return sheet.pages.finish()


Row = tuple[str, str]


def _event_rows(tournament: Tournament, summary: Summary, club: str) -> list[Row]:
    report, papers = summary.report, summary.papers
    days = span_text(report.starts_on, report.ends_on) if report.starts_on else ""
    return [
        (_("Name"), tournament.name),
        (_("Place"), tournament.place),
        (_("Federation"), report.federation),
        (_("Days"), days),
        (_("Organiser"), papers.organiser or club),
    ]


def _play_rows(summary: Summary, system: str) -> list[Row]:
    report, played, rate = summary.report, summary.played, summary.rate
    rounds = str(report.played_rounds)
    if report.rounds and report.rounds != report.played_rounds:
        rounds = _("%(made)s of %(planned)s") % {"made": report.played_rounds, "planned": report.rounds}
    time = _("%(rate)s (minutes + seconds a move), %(minutes)s minutes for 60 moves")
    games = _("%(games)s played, %(forfeits)s forfeited, %(byes)s byes, %(open)s without a result")
    values = {
        "games": played.rated + played.short,
        "forfeits": played.forfeits,
        "byes": played.byes,
        "open": played.open,
    }
    return [
        (_("System"), system),
        (_("Rounds"), rounds),
        (
            _("Rate of play"),
            time % {"rate": rate.typed, "minutes": rate.seconds // 60} if rate else report.time_control,
        ),
        (_("Schedule"), _schedule(summary.sessions)),
        (_("Games"), games % values),
        (_("Pairing program"), PROGRAM),
    ]


def _schedule(sessions: Sequence[Session]) -> str:
    shown = sessions if len(sessions) <= _MOST_SESSIONS else (sessions[0], sessions[-1])
    if not any(session.day for session in sessions):
        return ""
    return sign("; ").join(f"{each.number}{sign(': ')}{_when(each.day, each.at)}" for each in shown)


def _when(day: date | None, at: time | None) -> str:
    return f"{day_text(day, 'brief')} {at:%H:%M}" if day and at else day_text(day, "brief")


def _player_rows(summary: Summary) -> list[Row]:
    people = len(summary.report.players)
    count = _("%(people)s, of them %(rated)s with a rating and %(unrated)s without")
    host = summary.report.federation
    known = {code: number for code, number in summary.federations if code}
    own = known.get(host, 0) if host and known else None
    return [
        (_("Players"), count % {"people": people, "rated": summary.rated, "unrated": people - summary.rated}),
        (_("Average rating"), str(summary.average or "")),
        (_("Titles"), _counts(summary.titles) or _("none")),
        (_("Federations"), _counts((code or _("not known"), number) for code, number in summary.federations)),
        (_("Of the host federation"), "" if own is None else str(own)),
    ]


def _counts(counts: Iterable[tuple[str, int]]) -> str:
    return listed(f"{name} {number}" for name, number in counts)


def _arbiter_rows(summary: Summary) -> list[Row]:
    return [
        (_("Chief arbiter"), summary.report.chief_arbiter),
        (_("Deputies and further arbiters"), sign("; ").join(summary.report.deputies)),
    ]


def _remark_rows(summary: Summary) -> list[Row]:
    return [
        (_("Appeals"), summary.papers.appeals),
        (_("Remarks"), summary.papers.remarks),
        (_("Title norms (form enclosed for)"), ""),
    ]


class _Sheet:
    """One sheet, filled from above. The last parts are cut where the sheet is full, so that it stays one."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self._y = pages, _MARGIN

    def head(self, title: str, club: str) -> None:
        right = self.pages.width - _MARGIN
        self.pages.text(_MARGIN, self._y + 8, title, 17, bold=True, room=right - _MARGIN)
        self.pages.text(_MARGIN, self._y + 25, club, 10, room=right - _MARGIN)
        self._y += 34
        self.pages.line(_MARGIN, self._y, right, self._y, 1.2)

    def part(self, title: str, rows: Sequence[Row]) -> None:
        """A heading and its rows; an empty one is a line to write on."""
        self._y += 20
        self.pages.text(_MARGIN, self._y, title, 11, bold=True)
        self._y += 4
        for label, value in rows:
            self._row(label, value)

    def _row(self, label: str, value: str) -> None:
        pages, left, right = self.pages, _MARGIN + _LABELS, self.pages.width - _MARGIN
        self._y += _SIZE * 1.45
        pages.text(_MARGIN, self._y, label, _SIZE, room=_LABELS - 8)
        if value:
            end = pages.paragraph(left, self._y, value, _SIZE, room=right - left, most=self._lines_left())
            self._y = max(self._y, end - _SIZE * 1.35)
        else:
            pages.line(left, self._y + 3, right, self._y + 3)

    def _lines_left(self) -> int:
        return max(1, min(7, int((self.pages.height - 190 - self._y) / (_SIZE * 1.35))))

    def signatures(self, labels: Sequence[str]) -> None:
        _signatures(self.pages, labels, _MARGIN, self.pages.height - 70)


def _signatures(pages: Pages, labels: Sequence[str], margin: float, y: float) -> None:
    room = (pages.width - 2 * margin - 30 * (len(labels) - 1)) / len(labels)
    for place, label in enumerate(labels):
        left = margin + place * (room + 30)
        pages.line(left, y, left + room, y)
        pages.text(left, y + 12, label, 8.5, room=room)


# --- certificates -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Wording:
    """How certificates are made out: paper "a4" or "a5", whether they say the place and what was won."""

    paper: str = "a4"
    places: bool = True
    prizes: bool = False


def certificates(
    tournament: Tournament,
    people: Sequence[Certified],
    wording: Wording,
    *,
    club: str,
    rounds: int,
    fund: PrizeFund | None,
) -> bytes:
    """A page across for each of them, in that order."""
    title = f"{_('Certificates')}{sign(': ')}{tournament.name}"
    broad: Size = (_SIZES[wording.paper][1], _SIZES[wording.paper][0])
    pages = Pages(title, language=language(), author=club, size=broad)
    for index, person in enumerate(people):
        if index:
            pages.turn()
        _certificate(
            pages, tournament, _lines_of(person, wording, rounds, fund), certificate_name(person.entrant.player), club
        )
    return pages.finish()


def certificate_name(player: Player) -> str:
    """The full name, for a sheet that an officer hands to its bearer; the reading where no font here has the letters of
    the name, and nothing where there is none: a line to write it on."""
    names = (shown_name(player, OFFICER), shown_reading(player, OFFICER))
    return next((name for name in names if name and not unwritable([name], language())), "")


def _lines_of(person: Certified, wording: Wording, rounds: int, fund: PrizeFund | None) -> list[str]:
    place, lines = person.place, []
    if wording.places and place:
        first, last = place.first, place.last
        ranks = f"{first}–{last}" if last > first else f"{first}"
        text = _("Places %(ranks)s") % {"ranks": ranks} if last > first else _("Place %(rank)s") % {"rank": ranks}
        lines.append(text)
        if place.points:
            few = 1 if place.points <= 1 else 2
            points = ngettext("%(points)s point", "%(points)s points", few) % {"points": fraction_text(place.points)}
            played = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
            lines.append(_("%(points)s in %(rounds)s") % {"points": points, "rounds": played})
    if wording.prizes and fund:
        lines += [_won(win, fund) for win in person.wins]
    return lines


def _won(win: Winner, fund: PrizeFund) -> str:
    what = listed(filter(None, [money(win.amount, fund) if win.amount else "", win.thing]))
    return f"{share_name(win)}{sign(': ')}{what}" if what else share_name(win)


def _certificate(pages: Pages, tournament: Tournament, lines: Sequence[str], name: str, club: str) -> None:
    """One page: a frame, the club, the name in the middle, the event, what was reached, where to sign."""
    scale, middle = pages.height / A4[0], pages.width / 2
    edge, room = 28 * scale, pages.width - 130 * scale
    for inset, width in ((edge, 2.0), (edge + 5 * scale, 0.6)):
        _frame(pages, inset, width * scale)

    def centred(y: float, text: str, size: float, *, bold: bool = False) -> None:
        pages.text(middle, y * scale, text, size * scale, bold=bold, room=room, align="middle")

    centred(92, club, 18)
    centred(160, _("Certificate"), 42, bold=True)
    if name:
        centred(240, name, 36, bold=True)
    else:
        pages.line(middle - room / 3, 246 * scale, middle + room / 3, 246 * scale)
    centred(282, _("took part in the event"), 15)
    centred(322, tournament.name, 25, bold=True)
    days = span_text(tournament.starts_on, tournament.ends_on) if tournament.starts_on else ""
    centred(348, sign(", ").join(filter(None, [tournament.place, days])), 14)
    for place, line in enumerate(lines[:4]):
        centred(392 + 26 * place, line, 21 if place == 0 else 16, bold=place == 0)
    _signatures(pages, [_("Place and day"), _("For the club"), _("Chief arbiter")], 75 * scale, 525 * scale)


def _frame(pages: Pages, inset: float, width: float) -> None:
    left, top, right, bottom = inset, inset, pages.width - inset, pages.height - inset
    pages.line(left, top, right, top, width)
    pages.line(left, bottom, right, bottom, width)
    pages.line(left, top, left, bottom, width)
    pages.line(right, top, right, bottom, width)
