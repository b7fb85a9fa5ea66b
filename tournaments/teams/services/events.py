"""Team events: made with their rules, and the rules changed; leagues and clubs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from players.people.names import clean_name, slug_part
from players.refusals import Refused, said, sign
from players.trail.services import write_audit
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.events.services.own_rows import check_revision
from tournaments.events.services.unplayed import refuse_closed
from tournaments.models import (
    FirstWhite,
    League,
    LeagueClub,
    LineUpOrder,
    Primary,
    Round,
    TeamRules,
    TieRule,
    Tournament,
)
from tournaments.pairing.base import PairingError
from tournaments.pairing.free import Teams
from tournaments.pairing.team_base import colour_sequence
from tournaments.pairing.team_formats import TEAM_FORMATS
from tournaments.teams.services.tiebreaks import read_team_tiebreaks

# Once rounds are made these stand: matches were made by them.
FIXED_WITH_ROUNDS = ("format", "settings", "boards", "colours")
RULES = (
    *FIXED_WITH_ROUNDS,
    *("league_id", "season", "division", "promoted", "relegated"),
    *("minimum_boards", "first_white", "primary", "win", "draw", "loss", "bye_match_points", "bye_game_points"),
    *("tiebreaks", "order", "tolerance", "unrated_as", "swaps", "substitute_margin", "nominated", "games_up"),
    *("several_teams", "line_up_hours", "card_days", "tie_rule"),
)
_CHOICES = {"first_white": FirstWhite, "primary": Primary, "order": LineUpOrder, "tie_rule": TieRule}


@dataclass(frozen=True, slots=True)
class NewTeamEvent:
    """A team event to be made: `rules` are values of `RULES`, the others have their defaults."""

    name: str
    starts_on: date | None = None
    ends_on: date | None = None
    place: str = ""
    pool: str = "standard"
    rated: bool = True
    officers: tuple[int, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)


@transaction.atomic
def create_team_event(new: NewTeamEvent, *, by: User | None) -> Tournament:
    """Make an event of teams, without teams yet. Raises Refused for what is unknown or contradicts itself."""
    tournament = create_tournament(
        NewTournament(
            name=new.name,
            pairing_system=Teams.key,
            place=new.place,
            starts_on=new.starts_on,
            ends_on=new.ends_on,
            pool=new.pool,
            rated=new.rated,
            officers=new.officers,
        ),
        by=by,
    )
    make_rules(tournament, new.rules, by=by)
    return tournament


def make_rules(tournament: Tournament, values: Mapping[str, Any], *, by: User | None) -> TeamRules:
    """The rules that make a new event one of teams, for a caller that makes it in one transaction. Raises Refused."""
    rules = TeamRules(tournament=tournament, **_checked(values))
    _check(rules)
    rules.save()
    write_audit("team-rules.made", tournament, by=by, after=_changes(TeamRules(), rules)[1])
    return rules


@transaction.atomic
def change_rules(
    tournament_key: int, changes: Mapping[str, Any], *, by: User | None, revision: int | None = None
) -> TeamRules:
    """Change rules of a team event. Raises Stale where somebody else did meanwhile; Refused for an event that is over,
    for what is unknown, and for format and boards once rounds are made."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    refuse_closed(tournament)
    rules = TeamRules.objects.filter(tournament=tournament).first()
    if rules is None:
        raise Refused(_("“%(name)s” is no event of teams.") % {"name": tournament.name})
    check_revision(rules, revision)
    old = TeamRules.objects.get(pk=rules.pk)
    for name, value in _checked(changes).items():
        setattr(rules, name, value)
    _check(rules)
    before, after = _changes(old, rules)
    if not after:
        return rules
    made = Round.objects.filter(stage__tournament=tournament).exists()
    if made and any(name in after for name in FIXED_WITH_ROUNDS):
        raise Refused(
            _("The rounds are made: delete them before you change the format, the number of boards or their colours.")
        )
    rules.revision += 1
    rules.save()
    write_audit("team-rules.changed", tournament, by=by, before=before, after=after)
    return rules


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    for name in changes:
        if name not in RULES:
            raise Refused(_("There is no rule “%(name)s” of team events.") % {"name": name})
    found = dict(changes)
    if "tiebreaks" in found:
        found["tiebreaks"] = read_team_tiebreaks(found["tiebreaks"])
    try:
        if "colours" in found:
            found["colours"] = colour_sequence(found["colours"])
    except PairingError as refusal:
        raise Refused(said(refusal)) from None
    return found


def _check(rules: TeamRules) -> None:
    for name, choices in _CHOICES.items():
        if getattr(rules, name) not in choices.values:
            raise Refused(_("“%(value)s” is none of the choices.") % {"value": getattr(rules, name)})
    if rules.format not in {one.key for one in TEAM_FORMATS}:
        raise Refused(_("“%(value)s” is none of the choices.") % {"value": rules.format})
    check_fields(rules)
    if rules.minimum_boards > rules.boards:
        raise Refused(_("The fewest players of a team cannot be more than the boards of a match."))
    if not rules.win >= rules.draw >= rules.loss:
        raise Refused(_("A win must bring at least the match points of a draw, and a draw those of a loss."))


def check_fields(row: Model) -> None:
    """Raises Refused for a text that is too long, or a number that no column holds, by the name of its field."""
    keys = [field.name for field in row._meta.fields if field.is_relation]
    try:
        row.clean_fields(exclude=keys)
    except ValidationError as errors:
        name, messages = next(iter(errors.message_dict.items()))
        words = str(row._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
        raise Refused(f"{capfirst(words)}{sign(': ')}{messages[0]}") from None


def _changes(old: TeamRules, new: TeamRules) -> tuple[dict[str, Any], dict[str, Any]]:
    names = [name for name in RULES if getattr(old, name) != getattr(new, name)]
    return {name: getattr(old, name) for name in names}, {name: getattr(new, name) for name in names}


# --- leagues and clubs --------------------------------------------------------------------------------------------
@transaction.atomic
def create_league(name: str, *, by: User | None) -> League:
    """Raises Refused where the name is empty or there already."""
    name = clean_name(name)
    slug = slug_part(name) or "league"
    if not name:
        raise Refused(_("A league needs a name."))
    if League.objects.filter(slug=slug).exists():
        raise Refused(_("There is a league “%(name)s” already.") % {"name": name})
    league = League.objects.create(name=name, slug=slug)
    write_audit("league.made", league, by=by, after={"name": name})
    return league


@transaction.atomic
def create_club(name: str, *, by: User | None, short_name: str = "", venue: str = "") -> LeagueClub:
    """A club that plays in leagues. Raises Refused where the name is empty or there already."""
    name = clean_name(name)
    if not name:
        raise Refused(_("A club needs a name."))
    if LeagueClub.objects.filter(name=name).exists():
        raise Refused(_("There is a club “%(name)s” already.") % {"name": name})
    club = LeagueClub.objects.create(name=name, short_name=short_name.strip(), venue=venue.strip())
    write_audit("league-club.made", club, by=by, after={"name": name})
    return club
