"""People entered twice who are made one, and such a merge taken back, as corrections."""

from collections.abc import Iterable
from dataclasses import dataclass

from players.models import AuditEvent, Player
from tournaments.corrections.services.changes import Begin, Change, Fact, Why, game_facts, people_facts
from tournaments.merging.services import Belongings, belongings_of, first_moments, merge_players, moved_by, undo_merge


@dataclass(frozen=True, slots=True)
class PlayersMerged(Change):
    """One person entered twice; see `merge_players`."""

    keep: int
    gone: int

    def facts(self) -> list[Fact]:
        what = self._what()
        return [
            *people_facts([self.keep, self.gone]),
            *game_facts(what.games),
            *(("contest", key, 0) for key in what.contests),
            ("rest", len(what.entries), len(what.starts)),
        ]

    def begin(self) -> Begin:
        return first_moments(self._what())

    def players(self) -> Iterable[int]:
        return (self.keep, self.gone)

    def carry_out(self, why: Why) -> Player:
        return merge_players(keep=self.keep, gone=self.gone, by=why.by, reason=why.reason, note=why.note)

    def _what(self) -> Belongings:
        return belongings_of(self.gone, beside=self.keep)


@dataclass(frozen=True, slots=True)
class MergeUndone(Change):
    """A merge taken back, by the key of its audit event."""

    merge: int

    def facts(self) -> list[Fact]:
        event = self._event()
        return [*people_facts(self.players()), *game_facts(moved_by(event).games)]

    def begin(self) -> Begin:
        return first_moments(moved_by(self._event()))

    def players(self) -> Iterable[int]:
        event = self._event()
        return (Player.objects.get(number=event.before["keep"]).pk, event.subject_key)

    def carry_out(self, why: Why) -> Player:
        return undo_merge(self._event(), by=why.by, reason=why.reason, note=why.note)

    def _event(self) -> AuditEvent:
        return AuditEvent.objects.get(pk=self.merge, action="players.merged")
