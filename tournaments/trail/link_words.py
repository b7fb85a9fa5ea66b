"""Words of the audit trail for personal links, for what players report, and for what is kept beside a result
(`tournaments.trail.words`)."""

from django.utils.translation import gettext_lazy

VALUES = {
    "personal_links": gettext_lazy("personal links"),
    "player_results": gettext_lazy("players report results"),
    "silent_minutes": gettext_lazy("minutes to answer"),
    "score_sheets": gettext_lazy("photos of score sheets"),
    "footnote": gettext_lazy("note"),
    "claimed": gettext_lazy("reported"),
    "link": gettext_lazy("link"),
    "device": gettext_lazy("device"),
    "devices": gettext_lazy("devices"),
    "guardian": gettext_lazy("for a guardian"),
}
ACTIONS = {
    "personal-link.made": gettext_lazy("personal link made"),
    "personal-link.opened": gettext_lazy("personal link opened on a device"),
    "personal-link.allowed": gettext_lazy("personal link allowed on one device more"),
    "personal-link.revoked": gettext_lazy("personal link taken back"),
    "personal-link.forgotten": gettext_lazy("device of a personal link forgotten"),
    "result.claimed": gettext_lazy("result reported by a player"),
    "result.noted": gettext_lazy("note on a result"),
    "score-sheet.added": gettext_lazy("photo of a score sheet added"),
    "score-sheet.deleted": gettext_lazy("photo of a score sheet deleted"),
    "score-sheets.expired": gettext_lazy("photos of score sheets deleted after the event"),
}
