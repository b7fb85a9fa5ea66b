"""The event's own pages in the admin: list, form with the steps on top, deletion; and the addresses of the rest."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import ServiceAdmin, officer
from clubrating.web.formatting import day_text
from ratings.lists.admin import PoolFilter, pool_column
from tournaments.captains import admin as captains
from tournaments.contests.admin import seating, tables
from tournaments.corrections.admin import starting_ratings
from tournaments.entries.admin import entries, entry, files
from tournaments.entries.services.entries import is_ladder
from tournaments.events.admin import closing, hub, importance, new_event
from tournaments.events.admin.event_page import SETTINGS, tabs_of
from tournaments.events.admin.form import PLAYERS_REPORT, TournamentForm, filled_in, locks_out
from tournaments.events.admin.workflow import next_of, steps_of
from tournaments.events.selectors.events import count_results
from tournaments.events.selectors.officers import run_by, runs
from tournaments.events.services.events import (
    RULES,
    NewTournament,
    create_tournament,
    delete_tournament,
    update_tournament,
)
from tournaments.events.services.importance import change_importance
from tournaments.events.services.templates import event_template
from tournaments.formats import admin as formats
from tournaments.free_boards import admin as free_boards
from tournaments.free_play import admin as free_play
from tournaments.knockouts.admin import match
from tournaments.models import BoardGame, Tournament
from tournaments.pairing.free import Teams
from tournaments.papers import admin as papers
from tournaments.player_results import admin as player_results
from tournaments.presence import admin as presence
from tournaments.prizes import admin as prizes
from tournaments.registrations import admin as registrations
from tournaments.reports import admin as reports
from tournaments.results.admin import keystrokes, results
from tournaments.rounds.admin import clock, draft, next_round, rounds, taking_back
from tournaments.teams.admin import event as team_event
from tournaments.teams.admin import line_up, matches, team, teams
from tournaments.teams.admin import match as team_match
from tournaments.teams.admin.steps import team_steps
from tournaments.teams.selectors.facts import is_team_event
from tournaments.trail import admin as trail
from tournaments.undo.admin import stack, undo
from tournaments.verification import admin as verification

# Pages about tournaments: name → address and view.
PAGES: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
    "entries": ("<int:key>/entries/", entries.entries),
    "entry_list": ("<int:key>/entries/file/", files.entry_list),
    "numbers": ("<int:key>/entries/numbers/", entries.numbers),
    "prohibited": ("<int:key>/entries/apart/", entry.prohibited),
    "requests": ("<int:key>/entries/requests/", registrations.requests),
    "requests_file": ("<int:key>/entries/requests/file/", registrations.requests_file),
    "entry_rules": ("<int:key>/entries/rules/", registrations.entry_rules),
    "entry": ("entry/<int:key>/", entry.entry),
    "withdraw": ("entry/<int:key>/withdraw/", entry.withdraw),
    "return": ("entry/<int:key>/return/", entry.give_back),
    "format": ("<int:key>/format/", formats.event_format),
    "match": ("match/<int:key>/", match.match),
    "starts": ("<int:key>/starts/", starting_ratings.starts),
    "close": ("<int:key>/close/", closing.close),
    "standings": ("<int:key>/standings/", hub.standings),
    "files": ("<int:key>/files/", hub.files),
    "papers": ("<int:key>/papers/", papers.papers),
    "federations": ("<int:key>/papers/federations/", papers.federations),
    "player_list": ("<int:key>/papers/players/", papers.player_list),
    "certificates": ("<int:key>/papers/certificates/", papers.certificates),
    "prizes": ("<int:key>/prizes/", prizes.prizes),
    "captains": ("<int:key>/captains/", captains.captains),
    "rounds": ("<int:key>/rounds/", rounds.rounds),
    "delete_rounds": ("<int:key>/rounds/delete/", taking_back.delete_all),
    "next_round": ("stage/<int:key>/next/", next_round.next_round),
    "by_hand": ("stage/<int:key>/by-hand/", draft.by_hand),
    "boards": ("round/<int:key>/boards/", draft.boards),
    "clock": ("round/<int:key>/clock/", clock.clock),
    "unpublish": ("round/<int:key>/unpublish/", taking_back.unpublish),
    "delete_round": ("round/<int:key>/delete/", taking_back.delete_one),
    "trail": ("<int:key>/trail/", trail.event_trail),
    "undo": ("undo/<int:key>/", undo.undo),
    "steps": ("<int:key>/steps/", stack.steps),
    "redraw": ("stage/<int:key>/redraw/", match.redraw),
    "evening": ("<int:key>/evening/", free_play.evening),
    "evening_late": ("<int:key>/evening/late/", free_play.evening_late),
    "free_boards": ("<int:key>/evening/boards/", free_boards.free_boards),
    "free_rules": ("<int:key>/evening/members/", free_boards.free_rules),
    "evening_sheet": ("<int:key>/evening/sheet/", free_boards.evening_sheet),
    "tables": ("<int:key>/tables/", tables.tables),
    "table": ("table/<int:key>/", tables.table),
    "seating": ("<int:key>/seating/", seating.seating),
    "agreed": ("round/<int:key>/agreed/", player_results.agreed),
    "results": ("round/<int:key>/results/", results.results),
    "read": ("round/<int:key>/read/", verification.second_reading),
    "check_in": ("<int:key>/check-in/", presence.check_in),
    "board": ("round/<int:key>/board/", keystrokes.board),
    "report": ("<int:key>/report/", reports.take_out),
    "teams": ("<int:key>/teams/", teams.teams),
    "team": ("team/<int:key>/", team.team),
    "team_rules": ("<int:key>/teams/rules/", team_event.rules),
    "matches": ("<int:key>/matches/", matches.matches),
    "team_round": ("<int:key>/matches/by-hand/", matches.by_hand),
    "team_next": ("<int:key>/matches/next/", matches.next_round),
    "team_match": ("teammatch/<int:key>/", team_match.match),
    "line_up_home": ("teammatch/<int:key>/home/", line_up.home),
    "line_up_away": ("teammatch/<int:key>/away/", line_up.away),
    "team_new": ("new/teams/", team_event.new_event),
    "new": ("new/", new_event.choose),
    "importance": ("<int:key>/importance/", importance.importance),
    "copy": ("new/from/<int:key>/", new_event.copy),
    "from_names": ("new/names/", new_event.from_names),
    "report_in": ("report/", reports.bring),
}


# Of the rules of an event those that hold for teams too: the others stand on a page of their own.
TEAM_RULES = ("point_system", "leaver_rule", "tiebreak_edition")


class MineFilter(admin.SimpleListFilter):
    """Events the user runs: everybody else's are looked at only."""

    title = gettext_lazy("who runs it")
    parameter_name = "mine"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", gettext_lazy("me"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> QuerySet[Tournament]:
        return queryset.filter(run_by(request.user)) if self.value() == "1" else queryset


class TournamentAdmin(ServiceAdmin):
    form = TournamentForm
    list_display = ("name", "begins", "ends", "players", "state", "rated", "place")
    list_filter = (MineFilter, "rated", "closed", ("pool", PoolFilter))
    actions = ("close", "reopen")
    search_fields = ("name", "place")

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        *names, place = super().get_list_display(request)
        return (*names, pool_column(), place)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return super().get_queryset(request).annotate(entered=Count("entries", distinct=True))

    @admin.action(description=gettext_lazy("Close, and publish the final standings"), permissions=["change"])
    def close(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse | None:
        return closing.act_on_several(self, request, queryset, "close")

    @admin.action(description=gettext_lazy("Open again: more games are to come"), permissions=["change"])
    def reopen(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> HttpResponse | None:
        return closing.act_on_several(self, request, queryset, "reopen")

    @admin.display(description=gettext_lazy("first day"), ordering="starts_on")
    def begins(self, tournament: Tournament) -> str:
        return day_text(tournament.starts_on)

    @admin.display(description=gettext_lazy("last day"), ordering="ends_on")
    def ends(self, tournament: Tournament) -> str:
        return day_text(tournament.ends_on)

    @admin.display(description=gettext_lazy("entries"), ordering="entered")
    def players(self, tournament: Tournament) -> int:
        return tournament.entered  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("state"), ordering="closed")
    def state(self, tournament: Tournament) -> str:
        if tournament.open_ended:
            return _("without end")
        return _("over") if tournament.closed else _("open")

    def view_on_site(self, tournament: Tournament) -> str:
        return tournament.get_absolute_url()

    def get_fieldsets(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        has_rounds = obj is None or not obj.open_ended
        of_teams = obj is not None and _of_teams(obj)
        facts = (
            "name",
            *_play_fields(obj, of_teams),
            *("place", "starts_on", "ends_on", "rated", "pool", "game", "importance"),
            *(("entry_size", "tier_from", "tier_below") if has_rounds else ()),
            *(("re_rate",) if obj and count_results(obj) else ()),
            *(("second_reading",) if has_rounds else ()),
            *_players_report(obj, of_teams),
            *(("scores", "low_score_wins") if obj else ()),
            *(("komi",) if obj and obj.game == BoardGame.GO else ()),
            "run_by",
            *(("template", "kept") if obj is None else ()),
            *(("without_me",) if request.method == "POST" and locks_out(officer(request), request.POST) else ()),
            "revision",
        )
        kept = TEAM_RULES if of_teams else RULES
        rules = (_("Rules"), {"fields": kept, "classes": ["collapse"]})
        return [(None, {"fields": facts}), *([rules] if obj and has_rounds else ())]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        template = event_template(request.GET.get("template", ""))
        game = Tournament.objects.order_by("-pk").values_list("game", flat=True).first()  # what the club played last
        return {
            **({"game": game} if game else {}),
            **(filled_in(template) if template else {}),
            **super().get_changeform_initial_data(request),
        }

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.sent_by = officer(request)
        return form

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """An event that names who runs it is changed by those."""
        return super().has_change_permission(request, obj) and (obj is None or runs(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Whoever may change an event may delete it while nothing was played: the service refuses the rest."""
        return self.has_change_permission(request, obj)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The audit trail of the whole event, for those who run it."""
        event = self.get_object(request, unquote(object_id))
        if event is not None and self.has_change_permission(request, event):
            return redirect("admin:tournaments_tournament_trail", event.pk)
        return super().history_view(request, object_id, extra_context)

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(address, self.admin_site.admin_view(partial(view, self)), name=f"tournaments_tournament_{name}")
            for name, (address, view) in PAGES.items()
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        tournament = context.get("original")
        if tournament and self.has_change_permission(request, tournament):
            steps = team_steps(tournament) if is_team_event(tournament) else steps_of(tournament)
            opened = SETTINGS in request.GET or request.method == "POST"
            context |= {"steps": steps, "next": next_of(steps), "settings_open": opened}
            context |= {"tabs": tabs_of(request, tournament, SETTINGS if opened else "change")}
            context |= {"last_done": undo.last_line(tournament), "title": tournament.name}
            context |= {"tournament": tournament, **starting_ratings.late_starts_shown(request, tournament)}
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}  # saving leads to the overview
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Tournament, form: TournamentForm, change: bool) -> None:
        if change:
            changes, wanted, revision = form.changes(), form.other_importance(), form.cleaned_data.get("revision")
            if changes or wanted is None:
                revision = update_tournament(obj.pk, changes, by=officer(request), revision=revision).revision
            if wanted is not None and not count_results(obj):
                change_importance(obj.pk, wanted, by=officer(request), revision=revision)
        else:
            obj.pk = create_tournament(NewTournament(**form.facts(), **form.format()), by=officer(request)).pk
        obj.refresh_from_db()

    def delete_model(self, request: HttpRequest, obj: Tournament) -> None:
        delete_tournament(obj.pk, by=officer(request))

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: Any) -> HttpResponse:
        undo.deleted_with_undo(request, obj_id, obj_display)
        return redirect("admin:tournaments_tournament_changelist")

    def response_change(self, request: HttpRequest, obj: Tournament) -> HttpResponse:
        """Back to the event; another importance of games that are rated already is previewed first."""
        wanted = request.POST.get("importance", str(obj.importance)) or "1"  # left empty: as ordinary events
        if float(wanted) == obj.importance:
            super().response_change(request, obj)  # says that it is saved
            return redirect("admin:tournaments_tournament_change", obj.pk)
        address = reverse("admin:tournaments_tournament_importance", args=[obj.pk])
        return redirect(f"{address}?{urlencode({'importance': wanted})}")

    def response_add(self, request: HttpRequest, obj: Tournament, post_url_continue: str | None = None) -> HttpResponse:
        """A new event leads straight to its steps."""
        self.message_user(request, _("“%(name)s” is made: now enter the players.") % {"name": obj.name})
        if kept := request.POST.get("kept"):
            address = reverse("admin:tournaments_tournament_entry_list", args=[obj.pk])
            return redirect(f"{address}?{urlencode({'kept': kept, 'order': 'list'})}")
        return redirect("admin:tournaments_tournament_change", obj.pk)


def _of_teams(event: Tournament) -> bool:
    return event.stages.filter(pairing_system=Teams.key).exists()


def _players_report(event: Tournament | None, of_teams: bool) -> tuple[str, ...]:
    """Whether players report results: of boards of rounds, and of those that are set on a ladder."""
    if event is None or of_teams:
        return ()
    if event.open_ended:
        return PLAYERS_REPORT[:1] if is_ladder(event) else ()
    return PLAYERS_REPORT


def _play_fields(event: Tournament | None, of_teams: bool) -> tuple[str, ...]:
    """How it is played: not asked of a loaded stream; only a round robin has last two rounds to be swapped."""
    if event is None:
        return ("play", "swap_last_two", "rounds", "point_system", "tiebreaks")
    if of_teams:
        return ()
    if not event.open_ended:
        robin = event.stages.filter(order=1, pairing_system="round-robin").exists()
        return ("play", "swap_last_two") if robin else ("play",)
    return ("play",) if event.stages.exclude(pairing_system="").exists() else ()
