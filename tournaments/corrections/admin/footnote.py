"""The note beside a result: a form, and no preview, since nothing moves by it."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from players.refusals import Refused, sign
from tournaments.corrections.admin.boards import board_page
from tournaments.corrections.admin.corrections import called, game_of
from tournaments.corrections.admin.games_brought import ask
from tournaments.corrections.admin.preview import ReasonForm, say_done
from tournaments.models import Footnote
from tournaments.results.services.footnotes import LONGEST, note_result


class FootnoteForm(ReasonForm):
    """What everybody reads beside the result; `seen` is what stood there when the form was made."""

    field_order = ("footnote", "reason", "note")

    footnote = forms.CharField(
        label=gettext_lazy("Note beside the result"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Everybody reads it: write White and Black, no names. Empty: the note goes."),
    )
    seen = forms.CharField(required=False, max_length=LONGEST, widget=forms.HiddenInput)


def footnote(request: HttpRequest, key: int) -> HttpResponse:
    """Write, change or take away the note on a result."""
    game = game_of(request, key)
    back = board_page(game, request.user)
    stands = Footnote.objects.filter(game=game).values_list("text", flat=True).first() or ""
    form = FootnoteForm(request.POST or None, initial={"footnote": stands, "seen": stands})
    problems = []
    if form.is_valid():
        data = form.cleaned_data
        why = {"by": officer(request), "reason": data["reason"], "note": data["note"]}
        try:
            note_result(game=game.pk, text=data["footnote"], seen=data["seen"], **why)
        except Refused as refusal:
            problems = [str(refusal)]
        else:
            text = _("The note stands beside the result.") if data["footnote"].strip() else _("The note is gone.")
            say_done(request, None, text)
            return redirect(back)
    title = f"{_('Note on a result')}{sign(': ')}{called(game)}"
    told = _("The result stays as it is, and no rating moves. The note stands in the public list of corrections too.")
    return ask(request, title, form, problems=problems, back=back, parent=_("Board"), at_once=told)
