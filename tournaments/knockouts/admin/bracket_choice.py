"""What becomes of later matches that were played when a decided one gets another winner: the arbiter's choice."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.privacy.rules import OFFICER, shown_name
from tournaments.knockouts.services.matches import FOLLOW, KEEP, BracketMovesError
from tournaments.results.services.results import notation


class BracketForm(forms.Form):
    """Follow or keep; nothing is chosen beforehand."""

    bracket = forms.ChoiceField(
        label=gettext_lazy("Later matches"),
        widget=forms.RadioSelect,
        choices=[
            (FOLLOW, gettext_lazy("The bracket follows: what was played there is cleared and played again")),
            (KEEP, gettext_lazy("The bracket stays as it is: only the result is corrected")),
        ],
    )

    def __init__(self, data: Any = None, *, keep: bool = True) -> None:
        super().__init__(data)
        if not keep:
            self.fields["bracket"].choices = self.fields["bracket"].choices[:1]  # type: ignore[attr-defined]


def undone(asked: BracketMovesError) -> list[str]:
    """What would be undone, one line a match or game."""
    lines = []
    for match in asked.matches:
        place = {"round": match.round.number if match.round else "–", "board": match.board}
        games = [game for game in asked.games if game.pairing_id == match.pk]
        for game in games:
            names = f"{shown_name(game.white, OFFICER)} – {shown_name(game.black, OFFICER)}"
            where = _("round %(round)s, match %(board)s") % place
            lines.append(f"{names} {notation(game.result)} ({where})")
        if not games:
            lines.append(_("who went on in round %(round)s, match %(board)s") % place)
    return lines
