"""What the papers of an event are made of: its report with what a rating officer would say of it, and who stands where.

For officers: everybody's full name. Counts and averages are those of the report, so that the two papers agree.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from fractions import Fraction
from math import floor

from players.models import Player, PlayerIdentity
from players.privacy.rules import OFFICER
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.interchange.fide_list import FideRow
from tournaments.interchange.rate_of_play import RateOfPlay, read_rate
from tournaments.interchange.report_checks import (
    Finding,
    Played,
    Terms,
    Weight,
    check_report,
    count_played,
    is_latin,
)
from tournaments.interchange.trf import Report
from tournaments.interchange.trf.head import kept_federations, kept_fields
from tournaments.models import BoardGame, Entry, EventPapers, Round, Tournament
from tournaments.prizes.selectors import FinalPlace, Winner, final_places, fund_of, prizes_of
from tournaments.reports.selectors import papers_of, report_of

_RATES = ("standard", "rapid", "blitz")
# As FIDE orders them.
_TITLE_ORDER = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")


# --- the rating report --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Session:
    """When a round was or is to be played."""

    number: int
    day: date | None
    at: time | None


@dataclass(frozen=True, slots=True)
class Summary:
    """An event as the arbiter's report has it. `titles` and `federations` are counts, the empty federation last;
    `average`: of those with a rating, halves up."""

    report: Report
    papers: EventPapers
    rate: RateOfPlay | None
    played: Played
    findings: tuple[Finding, ...]
    rated: int
    average: int | None
    titles: tuple[tuple[str, int], ...]
    federations: tuple[tuple[str, int], ...]
    sessions: tuple[Session, ...]

    @property
    def missing(self) -> int:
        """How many things a rating officer would refuse."""
        return sum(finding.weight == Weight.MUST for finding in self.findings)


def summary_of(tournament: Tournament) -> Summary:
    """Twelve queries at most. Raises Refused for an event that no report can tell."""
    report, papers = report_of(tournament), papers_of(tournament)
    rate = rate_of(tournament, papers)
    terms = Terms(
        rate=rate,
        kind=tournament.pool if tournament.pool in _RATES else "standard",
        is_chess=tournament.game == BoardGame.CHESS,
        is_over=tournament.closed,
    )
    ratings = [player.rating for player in report.players if player.rating]
    titles = Counter(player.title for player in report.players)
    federations = Counter(player.federation for player in report.players)
    return Summary(
        report=report,
        papers=papers,
        rate=rate,
        played=count_played(report),
        findings=tuple(check_report(report, terms)),
        rated=len(ratings),
        average=floor(Fraction(sum(ratings), len(ratings)) + Fraction(1, 2)) if ratings else None,
        titles=tuple((title, titles[title]) for title in _TITLE_ORDER if titles[title]),
        federations=tuple(sorted(federations.items(), key=lambda each: (not each[0], -each[1], each[0]))),
        sessions=_sessions(tournament, report),
    )


def rate_of(tournament: Tournament, papers: EventPapers) -> RateOfPlay | None:
    """The rate of play that was typed, else the one the event came with, where that can be read."""
    text = papers.time_control or kept_fields(tournament.foreign_records).get("time_control", "")
    try:
        return read_rate(text) if text else None
    except ValueError:
        return None


def proposed_papers(tournament: Tournament) -> EventPapers:
    """What was typed; before anything was, what the event came with from another program's report."""
    papers = papers_of(tournament)
    if papers.pk:
        return papers
    kept, rate = kept_fields(tournament.foreign_records), rate_of(tournament, papers)
    papers.federation = kept.get("federation", "")[:3].upper()
    papers.chief_arbiter = kept.get("chief_arbiter", "")[:100]
    papers.deputies = "\n".join(kept.get("deputies", ()))[:1000]
    papers.time_control = rate.typed if rate else ""
    return papers


def _sessions(tournament: Tournament, report: Report) -> tuple[Session, ...]:
    rows = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT).order_by("number", "pk")
    found = {
        number: Session(number, day, at) for number, day, at in rows.values_list("number", "planned_on", "planned_at")
    }
    return tuple(found.get(number, Session(number, None, None)) for number in range(1, report.played_rounds + 1))


# --- people -------------------------------------------------------------------------------------------------------
def people_by_number(tournament: Tournament) -> dict[int, Player]:
    """Who has which pairing number. One query."""
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    return {entry.number: entry.player for entry in entries if entry.number is not None}


def entries_with_federation(tournament: Tournament) -> list[tuple[Entry, str]]:
    """Every entry with the federation a report would say. One query."""
    kept = kept_federations(tournament.foreign_records)
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    ordered = sorted(entries, key=lambda entry: (entry.number is None, entry.number or 0, entry.pk))
    return [(entry, entry.federation or kept.get(entry.number or 0, "")) for entry in ordered]


def list_rows(tournament: Tournament) -> list[FideRow]:
    """The players who have a FIDE number as rows of a rating list, by number in the event. Two queries."""
    people = [(entry, federation) for entry, federation in entries_with_federation(tournament) if not entry.withdrawn]
    keys = [entry.player_id for entry, _federation in people]
    identities = PlayerIdentity.objects.filter(scheme=PlayerIdentity.Scheme.FIDE, player__in=keys)
    numbers = dict(identities.values_list("player", "value"))
    return [
        FideRow(
            line=place,
            fide_id=numbers[entry.player_id],
            name=_latin_name(entry.player),
            country=federation,
            sex=entry.player.sex,
            title=entry.player.title,
            birth_year=entry.player.birth_year,
            ratings={_RATES[0]: floor(entry.rating + 0.5)} if entry.rating else {},
        )
        for place, (entry, federation) in enumerate(people, start=1)
        if entry.player_id in numbers
    ]


def _latin_name(player: Player) -> str:
    return player.reading if player.reading and not is_latin(player.name) else player.name


# --- certificates -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Certified:
    """Somebody who may have a certificate: the place and what was won, where the event says so."""

    entrant: Entrant
    place: FinalPlace | None
    wins: tuple[Winner, ...]


@dataclass(frozen=True, slots=True)
class Honours:
    """Everybody who played to the end or began, best first; `rounds`: how many were played."""

    people: tuple[Certified, ...]
    rounds: int
    facts: EventData


def honours_of(tournament: Tournament) -> Honours | None:
    """None for an event without rounds. Prizes are given when the event is closed, so before that nobody has any."""
    stages = stages_at(tournament.slug)
    if tournament.open_ended or not stages:
        return None
    parts = facts_of(stages, OFFICER)
    places = {row.entrant.key: row for row in final_places(parts) or ()}
    fund = fund_of(tournament) if tournament.closed else None
    wins: Mapping[int, list[Winner]] = {}
    if fund is not None:
        wins = _by_entry(prizes_of(fund, parts, OFFICER).winners)
    everybody = parts[0].everybody or parts[0].entrants
    people = [
        Certified(person, places.get(person.key), tuple(wins.get(person.key, ())))
        for person in everybody
        if not person.withdrawn
    ]
    people.sort(key=lambda each: (each.place is None, each.place.first if each.place else 0, each.entrant.number or 0))
    return Honours(tuple(people), _played(parts), parts[0])


def _by_entry(winners: Sequence[Winner]) -> dict[int, list[Winner]]:
    found: dict[int, list[Winner]] = {}
    for winner in winners:
        found.setdefault(winner.entrant.key, []).append(winner)
    return found


def _played(parts: Sequence[EventData]) -> int:
    return len({row.number for part in parts for row in part.rounds if row.begun and not row.is_draft})
