"""What the event pages show of a stage: its standings in the way of its format, its crosstable, its bracket."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.models import Player
from players.privacy.rules import Viewer
from tournaments.event_list.selectors import lead_of
from tournaments.event_pages.format_tables import KeizerTable, KnockoutTable
from tournaments.event_pages.selectors.formats import Team, is_keizer, keizer_places, teams_of
from tournaments.event_pages.selectors.lots import Lots
from tournaments.event_pages.selectors.progress import steps_of
from tournaments.event_pages.tables import StandingsTable
from tournaments.event_pages.views.crosstables import Cross, Grid, crosses_of, grid_of
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.knockouts.selectors.brackets import Bracket, bracket_of, places_of
from tournaments.templatetags.cards import card_address, worth_cell
from tournaments.templatetags.events import part_name

Table = StandingsTable | KnockoutTable | KeizerTable
# Orders of a crosstable: as the standings, or as the pairing numbers.
BY_PLACE, BY_NUMBER = "place", "number"


@dataclass(frozen=True, slots=True)
class Section:
    """A stage on a page. `title` is its name in an event of several parts; `key` tells the ids on a page apart; `way`:
    how its standings are shown ("knockout", "keizer" or "points"); `explains`: whether their rules stand below them;
    `lots` decided who came into it. The crosstable is in the `order` asked for."""

    facts: EventData
    ranked: EventStandings
    table: Table
    title: str
    key: str
    bracket: Bracket | None
    way: str
    teams: tuple[Team, ...]
    explains: bool
    viewer: Viewer
    lots: Lots | None = None
    order: str = BY_PLACE

    @property
    def annuls(self) -> bool:
        """Whether games of somebody who left count for nobody."""
        return any(leaver.annulled for leaver in self.ranked.leavers)

    @property
    def is_by_rounds(self) -> bool:
        """Whether the crosstable is that of a Swiss, a column for every round. In a Keizer list people meet again."""
        return self.facts.is_by_rounds and not is_keizer(self.facts)

    @property
    def has_progress(self) -> bool:
        """Whether points are added up round by round: not in a knockout, nor where a Keizer list moves them all."""
        return bool(self.facts.rounds) and self.bracket is None and not is_keizer(self.facts)

    @property
    def crosses(self) -> list[Cross]:
        """The crosstables, everybody against everybody; none where the grid by rounds stands instead."""
        if self.is_by_rounds:
            return []
        numbers = self._numbers()
        # A Keizer list has a worth of its own for byes.
        return crosses_of(
            self.ranked,
            self.teams,
            numbers,
            labels=self._labels(numbers),
            worths=self._worths(),
            byes_count=not is_keizer(self.facts),
        )

    @property
    def grid(self) -> Grid | None:
        """The crosstable of a Swiss; None in other formats, and while nobody is paired."""
        if not self.is_by_rounds:
            return None
        numbers = self._numbers()
        return grid_of(
            self.ranked,
            steps_of(self.facts, self.ranked),
            numbers,
            labels=self._labels(numbers),
            worths=self._worths(),
            addresses=self._addresses(),
            viewer=self.viewer,
        )

    def _numbers(self) -> list[int]:
        """Everybody's number in the order asked for."""
        if is_keizer(self.facts):
            numbers = [row.entrant.number or 0 for row in keizer_places(self.facts)]
        else:
            numbers = [row.player for row in self.ranked.rows]
        return sorted(numbers) if self.order == BY_NUMBER else numbers

    def _labels(self, numbers: Sequence[int]) -> dict[int, str]:
        """What a line is called: its number in the standings, or the pairing number."""
        if self.order == BY_NUMBER:
            return {number: f"{number}" for number in numbers}
        return {number: f"{place}" for place, number in enumerate(numbers, start=1)}

    def _addresses(self) -> dict[int, str]:
        """Everybody's card."""
        slug = self.facts.tournament.slug
        return {number: card_address(slug, person) for number, person in self.ranked.entrants.items()}

    def _worths(self) -> dict[int, tuple[SafeString | str, ...]]:
        """Everybody's tie-breaks as cells; a Keizer list has none."""
        if is_keizer(self.facts):
            return {}
        codes, cards = [rule.code for rule in self.ranked.tiebreaks], self._addresses()
        return {
            row.player: tuple(
                worth_cell(worth, code, self.key, cards[row.player])
                for worth, code in zip(row.tiebreaks, codes, strict=True)
            )
            for row in self.ranked.rows
        }


def sections_of(
    facts: Sequence[EventData],
    changes: Mapping[int, Mapping[int, float]],
    lots: Mapping[int, Lots],
    viewer: Viewer,
    first: int | None = None,
) -> list[Section]:
    """One section for every stage, in order; `changes` is what each stage did to the ratings, by its key and the
    player's; `lots` are those that filled a stage, by its key. Tables show the `first` places only,
    where that is said."""
    alone = len(facts) == 1
    # What is the same for all groups is explained once, under the last of them.
    last = [part for part in facts if not part.is_bracket][-1:]
    sections = []
    for part in facts:
        stage, ranked = part.stage, standings_of(part)
        key = "" if alone else f"-{stage.order}"
        table: Table
        if part.is_bracket:
            way, table = "knockout", KnockoutTable(places_of(part)[:first])
        elif is_keizer(part):
            way, table = "keizer", KeizerTable(keizer_places(part)[:first])
        else:
            own = changes.get(stage.pk, {})
            way, table = "points", StandingsTable(ranked, own, viewer, part.tournament.slug, key, first)
        section = Section(
            facts=part,
            ranked=ranked,
            table=table,
            title="" if alone else part_name(stage.name) or _("Part %(number)s") % {"number": stage.part},
            key=key,
            bracket=bracket_of(part) if part.is_bracket else None,
            way=way,
            teams=teams_of(part, ranked),
            explains=part in last,
            viewer=viewer,
            lots=lots.get(stage.pk),
        )
        sections.append(section)
    return sections


def side_by_side(sections: Sequence[Section]) -> list[list[Section]]:
    """The sections in rows: stages of the same part are played side by side."""
    return [list(row) for _part, row in groupby(sections, key=lambda section: section.facts.stage.part)]


@dataclass(frozen=True, slots=True)
class Front:
    """Who leads a part of an event, and how many `more` share the lead."""

    part: str
    player: Player
    more: int


def fronts_of(sections: Sequence[Section]) -> list[Front]:
    """The leaders of every part that has begun."""
    leads = [(section.title, lead_of(section.facts, section.ranked)) for section in sections]
    return [Front(title, lead.leaders[0], lead.others) for title, lead in leads if lead is not None]
