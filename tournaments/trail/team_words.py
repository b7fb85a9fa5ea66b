"""Words of the audit trail for events of teams."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from tournaments.models import TeamMatch, TeamRules

ACTIONS: Mapping[str, Any] = {
    "team-rules.made": gettext_lazy("event of teams made"),
    "team-rules.changed": gettext_lazy("rules of the team event changed"),
    "league.made": gettext_lazy("league made"),
    "league.changed": gettext_lazy("league renamed"),
    "league.season-made": gettext_lazy("season of a league made"),
    "league-club.made": gettext_lazy("club of a league made"),
    "league-club.changed": gettext_lazy("club of a league changed"),
    "team.made": gettext_lazy("team entered"),
    "team.changed": gettext_lazy("team changed"),
    "team.removed": gettext_lazy("team taken out"),
    "team.left": gettext_lazy("team left the event"),
    "team.returned": gettext_lazy("team came back"),
    "teams.numbered": gettext_lazy("teams numbered"),
    "team.players-added": gettext_lazy("players put on a team’s list"),
    "team.players-ordered": gettext_lazy("list of a team ordered"),
    "team.player-changed": gettext_lazy("player of a team changed"),
    "team.player-removed": gettext_lazy("player taken off a team’s list"),
    "team.penalised": gettext_lazy("penalty of a team"),
    "team.penalty-lifted": gettext_lazy("penalty of a team lifted"),
    "captain-link.made": gettext_lazy("captain’s link made"),
    "captain-link.revoked": gettext_lazy("captain’s link taken back"),
    "matches.made": gettext_lazy("matches made"),
    "matches.deleted": gettext_lazy("matches deleted"),
    "match.planned": gettext_lazy("match planned"),
    "match.opened": gettext_lazy("boards of a match made"),
    "match.defaulted": gettext_lazy("match decided because a team did not come"),
    "match.advanced": gettext_lazy("who goes on decided by the arbiter"),
    "match.agreed": gettext_lazy("match card confirmed"),
    "card.entered": gettext_lazy("match card entered"),
    "line-up.handed-in": gettext_lazy("line-up handed in"),
    "line-up.consented": gettext_lazy("other side’s line-up agreed to"),
    "line-up.changed": gettext_lazy("line-up changed late"),
}
TABLES = {
    "team": gettext_lazy("team"),
    "teammatch": gettext_lazy("match of teams"),
    "league": gettext_lazy("league"),
    "leagueclub": gettext_lazy("club of a league"),
}
# The fields of the rules, and what else is kept of teams.
VALUES: Mapping[str, Any] = {
    **{field.name: field.verbose_name for field in TeamRules._meta.fields if not field.is_relation},
    "team": gettext_lazy("team"),
    "teams": gettext_lazy("teams"),
    "short_name": gettext_lazy("short name"),
    "venue": gettext_lazy("venue"),
    "time": gettext_lazy("time"),
    "cycles": gettext_lazy("cycles"),
    "match_points": gettext_lazy("match points"),
    "game_points": gettext_lazy("game points"),
    "penalty": gettext_lazy("penalty"),
    "lifted": gettext_lazy("lifted"),
    "agreed": gettext_lazy("confirmed"),
    "link": gettext_lazy("link"),
    "since": gettext_lazy("from"),
    "until": gettext_lazy("until"),
    "reserve": gettext_lazy("reserve"),
    "nominated": gettext_lazy("nominated"),
    "home": gettext_lazy("the home team"),
    "away": gettext_lazy("the guests"),
    "home_game_points": gettext_lazy("game points of the home team"),
    "away_game_points": gettext_lazy("game points of the guests"),
}
CHOSEN: Mapping[str, Any] = {"first_white": TeamRules, "tie_rule": TeamRules, "absent": TeamMatch}
