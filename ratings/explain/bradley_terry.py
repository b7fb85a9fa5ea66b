"""Why a Bradley–Terry rating is what it is: it belongs to all games at once, so no game has a change of its own."""

from typing import Any

from django.utils.translation import gettext as _

from ratings.explain.base import Case, Explainer, Line, decimal, plain


class BradleyTerryExplainer(Explainer):
    def lines(self, case: Case) -> list[Line]:
        own_way = _(
            "All games of the list are fitted at once: the ratings are those under which the results that "
            "happened are the most likely. A single game has no change of its own; one more result moves everybody "
            "a little."
        )
        lines = [Line(_("The change"), note=own_way)]
        if case.own.expected is not None:
            note = _("What the fitted strengths of the two expect of this game, a draw as half a point.")
            lines.append(Line(_("What was expected?"), numbers=f"E = {decimal(case.own.expected)}", note=note))
        if case.moved and case.moved.after is not None:
            lines.append(Line(_("The rating of the fit"), numbers=plain(case.moved.after)))
        return lines

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        return [
            _("All games of the list are fitted at once; the mean of the ratings is %(mean)s.")
            % {"mean": plain(settings.mean)},
            _("A game has no change of its own: one more result moves everybody a little."),
        ]
