"""A line-up handed in by the rules of its event. Whatever breaks one is said at once, all of it; who may set a rule
aside does so with a reason, which stands in the trail and with the line-up.
"""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.models import LineUp, TeamRules
from tournaments.pairing.base import Remark
from tournaments.pairing.line_up_rules import Breach, Finding
from tournaments.teams.selectors.eligibility import findings_of
from tournaments.teams.services.line_ups import Places, hand_in, lock_match

# What no reason sets aside: nobody can sit there.
_IMPOSSIBLE = frozenset({Breach.TOO_MANY, Breach.TWICE, Breach.STRANGER, Breach.ELSEWHERE})


class LineUpRefused(Refused):
    """`findings`: everything that breaks a rule; `sentences`: the same in words; `may_waive`: whether a reason is
    enough."""

    def __init__(self, findings: Sequence[Finding], *, may_waive: bool) -> None:
        self.findings = tuple(findings)
        self.sentences = tuple(words(each.remark) for each in findings)
        self.may_waive = may_waive
        super().__init__(" ".join(self.sentences))


@transaction.atomic
def hand_in_by_rules(
    match_key: int,
    team_key: int,
    places: Places,
    *,
    by: User | None,
    role: str = "",
    waived: str = "",
    note: str = "",
    arbiter: bool = False,
    revision: int | None = None,
) -> LineUp:
    """Keep a line-up that keeps the rules. `waived`: why it may break some: warnings anybody may set aside, rules only
    an arbiter; without it a `note` is kept as well. Raises LineUpRefused with every sentence; Refused and Stale as
    `hand_in`."""
    match = lock_match(match_key)
    team = next((side for side in (match.home, match.away) if side is not None and side.pk == team_key), None)
    if team is not None and not match.boards.exists():
        rules = TeamRules.objects.get(tournament=match.round.stage.tournament_id)
        _check(findings_of(match, team, places, rules), waived=bool(waived.strip()), arbiter=arbiter)
    return hand_in(match_key, team_key, places, by=by, role=role, note=waived or note, revision=revision)


def _check(findings: Sequence[Finding], *, waived: bool, arbiter: bool) -> None:
    """Raises LineUpRefused for what is not waived."""
    impossible = any(each.breach in _IMPOSSIBLE for each in findings)
    may_waive = not impossible and (arbiter or not any(each.refused for each in findings))
    if findings and not (waived and may_waive):
        raise LineUpRefused(findings, may_waive=may_waive)


def words(remark: Remark, names: Mapping[int, str] | None = None) -> str:
    """A remark as a sentence, with players by `names`; by their numbers where they have none there."""
    known = names or {}
    people = {name: known.get(number, f"#{number}") for name, number in remark.players.items()}
    return _(remark.text) % {**remark.values, **people}
