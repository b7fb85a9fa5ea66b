"""The event's own form: what it is, how it is played, by which rules. Not here: the settings of its format."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.ground.marks import joined
from clubrating.web.admin import ServiceForm
from players.refusals import Refused, sign
from ratings.lists.selectors.lists import pool_choices
from tournaments.events.admin.importance import ImportanceInput, scale_in_words
from tournaments.events.selectors.events import count_results
from tournaments.events.selectors.officers import who_may_run
from tournaments.events.services.events import EDITABLE, FACTS, RULES, check_settings
from tournaments.events.services.templates import EventTemplate, event_template
from tournaments.events.services.tiebreaks import read_tiebreaks, usable_tiebreaks
from tournaments.interchange.games_csv import MAX_IMPORTANCE, MIN_IMPORTANCE
from tournaments.interchange.go_csv import MOST_KOMI
from tournaments.models import BoardGame, ByeWorth, PlayerResults, ScoreKind, SecondReading, Stage, Tournament
from tournaments.pairing import PAIRING_SYSTEMS, pairing_system
from tournaments.pairing.base import SWISS_EDITIONS, TIEBREAK_EDITIONS, FreeSystem
from tournaments.pairing.free import Teams
from tournaments.standings.points import POINT_SYSTEMS
from tournaments.verification.selectors import NO_OTHER_READER, lack_another

ROUND_ROBIN = "round-robin"
PLAYERS_REPORT = ("player_results", "silent_minutes", "score_sheets")
# Round robins in an arbiter's words → the number of cycles.
CYCLES = {"once": 1, "twice": 2}


def formats() -> list[tuple[str, str]]:
    """Every format of players: the round robins, then the other pairing systems by their names."""
    own = (ROUND_ROBIN, Teams.key)
    others = [(system.key, _now(system.name)) for system in PAIRING_SYSTEMS if system.key not in own]
    return [
        ("once", _now("Round robin: everybody meets everybody once")),
        ("twice", _now("Round robin: twice")),
        *others,
    ]


def tiebreak_codes(system: str, empty: str = "") -> SafeString:
    """Every code the format can use with what it means, folded away; `empty` says what none means."""
    rows = ((rule.code, _now(rule.name), sign(": "), _now(rule.rule)) for rule in usable_tiebreaks(system))
    return format_html(
        "{}<details><summary>{}</summary><ul>{}</ul><p>{}</p></details>",
        joined(
            _now("Codes in the order they decide, with commas: BH/C1, BH, SB."),
            empty or _now("Empty: places are shared."),
        ),
        _now("All codes"),
        format_html_join("", "<li><b>{}</b> {}{}{}</li>", rows),
        _now(
            "After BH, FB, SB and ARO: /C1 and /C2 leave out the lowest, /M1 and /M2 the lowest and the highest values."
        ),
    )


def _years(editions: tuple[int, ...]) -> list[tuple[int, str]]:
    return [(year, str(year)) for year in editions]


class TournamentForm(ServiceForm):
    """An event with its format. The format is fixed as long as there are rounds."""

    sent_by: User | None = None

    play = forms.ChoiceField(label=_("Format"), choices=formats, initial="once")
    swap_last_two = forms.BooleanField(
        label=_("Swap the last two rounds of the first cycle"),
        required=False,
        help_text=_(
            "Only when played twice: nobody then has the same colour three times running where the cycles join."
        ),
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        required=False,
        min_value=1,
        help_text=_("Of a Swiss. Empty: five; this can still be changed while it is under way."),
    )
    pool = forms.ChoiceField(label=_("Pool"), help_text=_("Which ratings the games count for."))
    game = forms.ChoiceField(
        label=_("Game played"),
        choices=BoardGame,
        required=False,
        help_text=_("Pages say which colour begins where it is not White."),
    )
    importance = forms.FloatField(
        label=_("Importance"),
        required=False,
        min_value=MIN_IMPORTANCE,
        max_value=MAX_IMPORTANCE,
        initial=1.0,
        widget=ImportanceInput,
    )
    komi = forms.FloatField(
        label=_("Usual komi"),
        required=False,
        min_value=-MOST_KOMI,
        max_value=MOST_KOMI,
        step_size=0.5,
        help_text=_("Points for White in even games recorded from now on. Empty: 6.5, or what a game says itself."),
    )
    re_rate = forms.BooleanField(
        label=_("Re-rate the games played"),
        required=False,
        help_text=_("Needed to change “rated”, the pool or the first day once results are in: ratings move with it."),
    )
    point_system = forms.ChoiceField(
        label=_("Points"), choices=lambda: [(system.key, _now(system.name)) for system in POINT_SYSTEMS]
    )
    tiebreaks = forms.CharField(label=_("Tie-breaks"), max_length=200, required=False)
    swiss_edition = forms.TypedChoiceField(
        label=_("Edition of the Swiss rules"), choices=_years(SWISS_EDITIONS), coerce=int
    )
    tiebreak_edition = forms.TypedChoiceField(
        label=_("Edition of the tie-break rules"), choices=_years(TIEBREAK_EDITIONS), coerce=int
    )

    # Not the model's field: the service writes it.
    run_by = forms.TypedMultipleChoiceField(
        label=_("Run by"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Nobody ticked: every arbiter and assistant. Administrators run every event."),
    )
    without_me = forms.BooleanField(
        label=_("Without me"),
        required=False,
        help_text=_("You are not among those who run it: after saving you can only look at this event."),
    )

    template = forms.CharField(label="", widget=forms.HiddenInput, required=False)
    # The key of a list of names that a builder handed over, to be entered once the event is made.
    kept = forms.CharField(label="", widget=forms.HiddenInput, required=False)

    class Meta:
        model = Tournament
        fields = (*EDITABLE, "importance")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pool = self.fields["pool"]
        if isinstance(pool, forms.ChoiceField):
            here = {self.instance.pool: self.instance.pool} if self.instance.pk else {}
            pool.choices = list({**here, **dict(pool_choices())}.items())
        if self.instance.pk:
            stage = self._stage()
            self._ask_rules(stage)
            self._read_stage(stage)
        else:
            # Of a new event points and tie-breaks may be said; the other rules have their usual values.
            self._leave_out(*(name for name in RULES if name not in ("point_system", "tiebreaks")))
            if "point_system" in self.fields:
                self.fields["point_system"].required = False  # one that is not sent is the usual one
                self.initial.setdefault("point_system", POINT_SYSTEMS[0].key)
            if "tiebreaks" in self.fields:
                self.initial["tiebreaks"] = (kwargs.get("initial") or {}).get("tiebreaks", "")
                self.fields["tiebreaks"].help_text = tiebreak_codes("", _now("Empty: the usual ones of the format."))
        if not self._results():
            self.fields.pop("re_rate", None)
        if "entry_size" in self.fields:
            self.fields["entry_size"].required = False  # one that is not sent stays as it is
        for name in PLAYERS_REPORT:
            if name in self.fields:
                self.fields[name].required = False  # one that is not sent stays as it is
        if "player_results" in self.fields:
            self.fields["player_results"].choices = PlayerResults.choices  # type: ignore[attr-defined]
        if "importance" in self.fields:
            self.fields["importance"].help_text = scale_in_words()
        self._ask_officers()

    def _ask_rules(self, stage: Stage | None) -> None:
        self._leave_out("template", "kept", "rounds", *(RULES if self.instance.open_ended else ()))
        for name in RULES:
            if name in self.fields:
                self.fields[name].required = False  # one that is not sent stays as it is
        if "tiebreaks" in self.fields:
            self.fields["tiebreaks"].help_text = tiebreak_codes(stage.pairing_system if stage else "")
        if "allocated_bye" in self.fields:
            choices = [("", _now("as the points say")), *ByeWorth.choices]
            self.fields["allocated_bye"].choices = choices  # type: ignore[attr-defined]
        if "scores" in self.fields:
            self.fields["scores"].choices = [("", _now("none")), *ScoreKind.choices]  # type: ignore[attr-defined]
            self.fields["scores"].help_text = _now("What the scores of games and tables are, where they are entered.")

    def _results(self) -> int:
        return count_results(self.instance) if self.instance.pk else 0

    def _stage(self) -> Stage | None:
        return self.instance.stages.order_by("order").first() if self.instance.pk else None

    def _read_stage(self, stage: Stage | None) -> None:
        if "play" not in self.fields:
            return
        if stage is None or not stage.pairing_system:  # a loaded stream: games without rounds
            self._leave_out("play", "swap_last_two")
            return
        self.initial["play"] = _play_of(stage.pairing_system, stage.settings)
        self.initial["swap_last_two"] = bool(stage.settings.get("swap_last_two"))
        if self.instance.open_ended:
            self.fields["play"].choices = [  # type: ignore[attr-defined]
                (system.key, _now(system.name)) for system in PAIRING_SYSTEMS if isinstance(system, FreeSystem)
            ]
        if self.instance.stages.count() > 1 or stage.rounds.exists():
            self.fields["play"].disabled = True
            if "swap_last_two" in self.fields:
                self.fields["swap_last_two"].disabled = True
            self.fields["play"].help_text = _("The rounds are made: delete them to change the format.")

    def _ask_officers(self) -> None:
        """Whoever runs it stays on the list, also one whose role was taken."""
        if "run_by" in self.fields:
            named = list(self.instance.officers.all()) if self.instance.pk else []
            people = {user.pk: user for user in (*who_may_run(), *named)}
            self.fields["run_by"].choices = [(key, called(user)) for key, user in people.items()]  # type: ignore[attr-defined]
            self.initial["run_by"] = [user.pk for user in named]
        if "second_reading" in self.fields:
            self.fields["second_reading"].choices = SecondReading.choices  # type: ignore[attr-defined]
            if self.instance.pk in lack_another([self.instance.pk or 0]):
                self.fields["second_reading"].help_text = NO_OTHER_READER
        # Asked only where the form as it was sent would take the event from whoever sent it.
        if not (self.is_bound and self.sent_by is not None and locks_out(self.sent_by, self.data)):
            self._leave_out("without_me")

    def _leave_out(self, *names: str) -> None:
        for name in names:
            self.fields.pop(name, None)

    def clean_game(self) -> str:
        """Not sent it stays as it is."""
        return self.cleaned_data["game"] or self.instance.game

    def clean_entry_size(self) -> int:
        """Not sent it stays as it is."""
        size: int | None = self.cleaned_data["entry_size"]
        return self.instance.entry_size if size is None else size

    def clean_player_results(self) -> str:
        """Not sent it stays as it is."""
        sent = self.add_prefix("player_results") in self.data
        return self.cleaned_data["player_results"] if sent else self.instance.player_results

    def clean_silent_minutes(self) -> int:
        """Not sent it stays as it is."""
        minutes: int | None = self.cleaned_data["silent_minutes"]
        return self.instance.silent_minutes if minutes is None else minutes

    def clean_score_sheets(self) -> bool:
        """A tick is taken away only by a form that has it: its neighbour is always sent with it."""
        sent = self.add_prefix("player_results") in self.data
        return self.cleaned_data["score_sheets"] if sent else self.instance.score_sheets

    def clean_importance(self) -> float:
        """Left empty it is that of an ordinary event; not sent it stays."""
        sent = self.add_prefix("importance") in self.data
        return (self.cleaned_data["importance"] or 1.0) if sent else self.instance.importance

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in RULES:
            if name in self.fields and self.add_prefix(name) not in self.data:
                cleaned[name] = self.initial[name]
            elif name in cleaned and cleaned[name] is None:
                self.add_error(name, _("Enter a number, 0 for none."))
        moves = {"rated", "pool", "starts_on"} & set(self.changed_data)
        if moves and "re_rate" in self.fields and not cleaned.get("re_rate"):
            text = _("%(count)s results are in and would be rated anew. If that is what you want, tick this box.")
            self.add_error("re_rate", text % {"count": self._results()})
        if cleaned.get("swap_last_two") and cleaned.get("play") != "twice":
            self.add_error("swap_last_two", _("There is only one cycle: choose “twice”, or leave this box empty."))
        if "without_me" in self.fields and not cleaned.get("without_me"):
            self.add_error("without_me", _("You would lose this event: tick this box, or tick yourself above."))
        self._clean_rounds(cleaned)
        self._clean_tiebreaks(cleaned)
        return cleaned

    def _clean_rounds(self, cleaned: dict[str, Any]) -> None:
        rounds, system = cleaned.get("rounds"), self._system(cleaned)
        if rounds is None or system is None:
            return
        if all(option.key != "rounds" for option in pairing_system(system).options):
            self.add_error("rounds", _("How many rounds this format has is not set here: leave this empty."))
            return
        try:
            check_settings(system, {"rounds": rounds})
        except Refused as refusal:
            self.add_error("rounds", str(refusal))

    def _clean_tiebreaks(self, cleaned: dict[str, Any]) -> None:
        """What the service would refuse is said at the field."""
        system = self._system(cleaned)
        if system is None or "tiebreaks" not in self.changed_data or "tiebreaks" not in cleaned:
            return
        try:
            read_tiebreaks(cleaned["tiebreaks"], system)
        except Refused as refusal:
            self.add_error("tiebreaks", str(refusal))

    def _system(self, cleaned: dict[str, Any]) -> str | None:
        """The key of the format that is asked for, or that it has; None where none can be read."""
        if play := cleaned.get("play"):
            return ROUND_ROBIN if play in CYCLES else str(play)
        stage = self._stage()
        return stage.pairing_system if stage else None

    def _template(self) -> EventTemplate | None:
        """What a new event was begun from."""
        return event_template(self.cleaned_data.get("template", ""))

    def facts(self) -> dict[str, Any]:
        """What the form says of a new event, without its format."""
        asked = {name: self.cleaned_data.get(name) for name in ("point_system", "tiebreaks")}
        rules = {name: value for name, value in asked.items() if value}
        facts = {name: self.cleaned_data[name] for name in (*FACTS, "importance") if name in self.cleaned_data}
        if template := self._template():
            facts["ends_on"] = facts.get("ends_on") or template.last_day(facts.get("starts_on"))
        return {**facts, "rules": rules, "officers": tuple(self.cleaned_data.get("run_by", ()))}

    def changes(self) -> dict[str, Any]:
        """With the format put as the services know it."""
        changes = super().changes()
        for name in ("re_rate", "without_me", "importance"):
            changes.pop(name, None)
        if "run_by" in changes:
            changes["officers"] = changes.pop("run_by")
        # What is not sent, or not on the form.
        stays = (*RULES, "game", "scores", "low_score_wins", "komi", *PLAYERS_REPORT)
        kept = {name for name in stays if name in changes and changes[name] == self.initial.get(name, changes[name])}
        changes = {name: value for name, value in changes.items() if name not in kept}
        asked = {changes.pop("play", None), changes.pop("swap_last_two", None)}
        return {**changes, **self.format()} if asked != {None} else changes

    def other_importance(self) -> float | None:
        """Another importance than it has; None where it stays."""
        wanted: float | None = self.cleaned_data.get("importance")
        return None if wanted == self.initial.get("importance") else wanted

    def format(self) -> dict[str, Any]:
        """The chosen pairing system and its settings; those it had, where it stays the same."""
        play = self.cleaned_data["play"]
        system = self._system(self.cleaned_data) or play
        stage = self._stage()
        settings = dict(stage.settings) if stage is not None and stage.pairing_system == system else {}
        template = self._template()
        if template is not None and template.system == system:
            settings = dict(template.settings)
        if play in CYCLES:
            settings |= {"cycles": CYCLES[play]}
            settings.pop("swap_last_two", None)
            if self.cleaned_data.get("swap_last_two"):
                settings["swap_last_two"] = True
        if self.cleaned_data.get("rounds"):
            settings["rounds"] = self.cleaned_data["rounds"]
        return {"pairing_system": system, "settings": settings}


def filled_in(template: EventTemplate) -> dict[str, Any]:
    """The form's values as the template has them; a pool without a list is left to whoever fills it in."""
    known = {"pool": template.pool} if template.pool in dict(pool_choices()) else {}
    return {
        "template": template.key,
        "play": _play_of(template.system, template.settings),
        "swap_last_two": bool(template.settings.get("swap_last_two")),
        "rounds": template.rounds,
        "tiebreaks": template.tiebreaks,
        "point_system": template.points,
        "second_reading": template.second_reading,
        **known,
    }


def called(user: User) -> str:
    """An officer as colleagues know him."""
    return user.get_full_name() or user.get_username()


def locks_out(user: User, data: Any) -> bool:
    """Whether an event of those officers, as a form names them, is not that user's any more."""
    named = set(data.getlist("run_by"))
    return not user.is_superuser and bool(named) and str(user.pk) not in named


def _play_of(system: str, settings: Mapping[str, Any]) -> str:
    if system != ROUND_ROBIN:
        return system
    return "twice" if settings.get("cycles", 1) == CYCLES["twice"] else "once"
