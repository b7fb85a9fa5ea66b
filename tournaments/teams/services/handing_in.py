"""A line-up handed in by the rules of its event. Whatever breaks one is said at once, all of it; who may set a rule
aside does so with a reason, which stands in the trail and with the line-up.
"""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.models import LineUp, LineUpOrder, Team, TeamMatch, TeamRules
from tournaments.pairing.base import Remark
from tournaments.pairing.line_up_rules import Breach, Finding
from tournaments.teams.selectors.eligibility import findings_of
from tournaments.teams.selectors.lists import Places
from tournaments.teams.services.line_ups import hand_in, lock_match, rules_of

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
    """Keep a line-up that keeps the rules, but for what the other side agreed to (`consent`). `waived`: why it may
    break some: warnings anybody may set aside, rules only an arbiter; without it a `note` is kept as well. Raises
    LineUpRefused with every sentence; Refused and Stale as `hand_in`."""
    match = lock_match(match_key)
    team = next((side for side in (match.home, match.away) if side is not None and side.pk == team_key), None)
    if team is not None and not match.boards.exists():
        rules = rules_of(match)
        found = findings_of(match, team, places, rules, consent=other_consents(match, team))
        _check(found, waived=bool(waived.strip()), arbiter=arbiter)
    return hand_in(match_key, team_key, places, by=by, role=role, note=waived or note, revision=revision)


@transaction.atomic
def consent(match_key: int, team_key: int, *, by: User | None, role: str = "", given: bool = True) -> TeamMatch:
    """A side agrees that the other’s line-up for this match may break what consent lifts, or takes that back while the
    other has handed nothing in. Raises Refused."""
    match = lock_match(match_key)
    if match.away_id is None or team_key not in (match.home_id, match.away_id):
        raise Refused(_("This team does not play in the match."))
    if match.boards.exists():
        raise Refused(_("The boards of this match are made: ask the arbiter for a change."))
    if given and not asks_consent(rules_of(match)):
        raise Refused(_("No rule of this event asks for the other captain’s consent."))
    if not given and match.line_ups.exclude(team=team_key).exists():
        raise Refused(_("The other side has handed in its line-up: ask the arbiter to change it."))
    field = "home_consents_at" if team_key == match.home_id else "away_consents_at"
    setattr(match, field, timezone.now() if given else None)
    match.save(update_fields=[field])
    write_audit("line-up.consented", match, by=by, after={"team": team_key, "agreed": given}, role=role)
    return match


def other_consents(match: TeamMatch, team: Team) -> bool:
    """Whether the other side agreed that this one’s line-up may break what consent lifts."""
    at = match.away_consents_at if team.pk == match.home_id else match.home_consents_at
    return at is not None


def asks_consent(rules: TeamRules) -> bool:
    """Whether a rule of the event can be set aside with the other captain’s consent."""
    return rules.order == LineUpOrder.RATING or rules.substitute_margin is not None


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
