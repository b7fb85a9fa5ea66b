"""What was done, in an officer's words: one for each action that a service writes into the audit trail."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.undo.services.undo import UNDONE

ACTIONS: Mapping[str, Any] = {
    # events
    "tournament.created": gettext_lazy("event made"),
    "tournament.copied": gettext_lazy("event made from an earlier one"),
    "tournament.changed": gettext_lazy("event changed"),
    "tournament.deleted": gettext_lazy("event deleted"),
    "tournament.lots_drawn": gettext_lazy("lots drawn for ties"),
    "prizes.changed": gettext_lazy("prizes changed"),
    "event.closed": gettext_lazy("event closed, final standings published"),
    "event.reopened": gettext_lazy("event opened again"),
    "stage.changed": gettext_lazy("settings of the format changed"),
    "stages.formed": gettext_lazy("groups formed"),
    "stages.dissolved": gettext_lazy("groups taken apart"),
    "stage.qualified": gettext_lazy("qualifiers taken over"),
    "stage.emptied": gettext_lazy("qualifiers taken back"),
    "report.imported": gettext_lazy("tournament report brought in"),
    "games.loaded": gettext_lazy("file of games loaded"),
    "forecast.stored": gettext_lazy("forecast kept before a round"),
    # entries
    "entry.made": gettext_lazy("player entered"),
    "entry.removed": gettext_lazy("entry deleted"),
    "entry.withdrawn": gettext_lazy("player withdrawn"),
    "entry.returned": gettext_lazy("player came back"),
    "entry.boards-made": gettext_lazy("boards made for a late player"),
    "entry.rating-corrected": gettext_lazy("rating of an entry corrected"),
    "entries.checked-in": gettext_lazy("checked in"),
    "numbers.given": gettext_lazy("pairing numbers given"),
    "numbers.moved": gettext_lazy("pairing numbers moved"),
    "bye.requested": gettext_lazy("bye asked for"),
    "bye.cancelled": gettext_lazy("bye cancelled"),
    "absence.told": gettext_lazy("absence told by a member"),
    "absence.taken-back": gettext_lazy("absence taken back"),
    "pairs.prohibited": gettext_lazy("kept apart"),
    "pair.allowed": gettext_lazy("may meet again"),
    # rounds
    "round.paired": gettext_lazy("round paired"),
    "rounds.paired": gettext_lazy("all rounds made"),
    "round.planned": gettext_lazy("round planned"),
    "round.published": gettext_lazy("round published"),
    "round.unpublished": gettext_lazy("round taken out of sight"),
    "round.deleted": gettext_lazy("round deleted"),
    "rounds.deleted": gettext_lazy("all rounds deleted"),
    "bracket.drawn": gettext_lazy("bracket drawn"),
    "bracket.superseded": gettext_lazy("bracket drawn again"),
    # results
    "result.recorded": gettext_lazy("result entered"),
    "result.corrected": gettext_lazy("result corrected"),
    "result.read": gettext_lazy("result read a second time"),
    "result.reported": gettext_lazy("result said to be wrong"),
    "report.accepted": gettext_lazy("report of a wrong result accepted"),
    "report.declined": gettext_lazy("report of a wrong result declined"),
    "colours.swapped": gettext_lazy("colours exchanged"),
    "game.inserted": gettext_lazy("game inserted"),
    "game.removed": gettext_lazy("game removed"),
    "match.ruled": gettext_lazy("match decided by the arbiter"),
    "match.ruling_taken_back": gettext_lazy("arbiter’s decision taken back"),
    "match.extra_games": gettext_lazy("extra games made"),
    "season.made": gettext_lazy("season made"),
    "season.changed": gettext_lazy("season changed"),
    "season.deleted": gettext_lazy("season deleted"),
    # people
    "player.created": gettext_lazy("player added"),
    "player.changed": gettext_lazy("player changed"),
    "player.deleted": gettext_lazy("player deleted"),
    "player.erased": gettext_lazy("person erased"),
    "player.data-handed-out": gettext_lazy("person’s own data handed out"),
    "player.federation": gettext_lazy("taken over from the federation’s list"),
    "player.guardians": gettext_lazy("guardians changed"),
    "player.identities": gettext_lazy("numbers elsewhere changed"),
    "players.merged": gettext_lazy("players merged"),
    "players.unmerged": gettext_lazy("merged players parted"),
    "note.redacted": gettext_lazy("note blanked"),
    "texts.redacted": gettext_lazy("name taken out of a line"),
    # ratings
    "list.created": gettext_lazy("rating list made"),
    "list.changed": gettext_lazy("rating list changed"),
    "list.rules-changed": gettext_lazy("rules of a rating list changed"),
    "list.tiers-changed": gettext_lazy("tiers of a rating list changed"),
    "list.published": gettext_lazy("rating list published"),
    "starting-rating.entered": gettext_lazy("starting rating entered"),
    "starting-rating.changed": gettext_lazy("starting rating changed"),
    "starting-rating.removed": gettext_lazy("starting rating removed"),
    # the club, its officers, its data
    "club.founded": gettext_lazy("club founded"),
    "club.changed": gettext_lazy("club’s settings changed"),
    "club.scaled": gettext_lazy("club enlarged for measuring"),
    "officer.changed": gettext_lazy("officer’s roles changed"),
    "officer.data": gettext_lazy("officer’s data changed"),
    "officer.signed-out": gettext_lazy("officer signed out everywhere"),
    "officer.unlocked": gettext_lazy("account opened again after wrong passwords"),
    "password.set": gettext_lazy("password set"),
    "password.link-made": gettext_lazy("link for a new password made"),
    "second-factor.on": gettext_lazy("second factor switched on"),
    "second-factor.off": gettext_lazy("second factor switched off"),
    "second-factor.codes": gettext_lazy("new spare codes for the second factor"),
    "second-factor.reset": gettext_lazy("second factor taken away"),
    "backup.made": gettext_lazy("backup made"),
    "backup.downloaded": gettext_lazy("backup downloaded"),
    "database.restored": gettext_lazy("database restored from a backup"),
}


def action_in_words(action: str) -> str:
    """ "result.corrected" as "result corrected"; one of an older version, which has no words, by its parts."""
    if action.endswith(UNDONE):
        return _("undone: %(done)s") % {"done": action_in_words(action.removesuffix(UNDONE))}
    return str(ACTIONS.get(action) or action.replace(".", " ").replace("-", " ").replace("_", " "))
