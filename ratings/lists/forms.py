"""Menus of the rating pages, and the field for a name in each of the site's languages."""

from typing import Any

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundWidget
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.refusals import sign
from ratings.lists.words import PRESETS
from ratings.systems import SYSTEMS, RatingSystem


def way_choices() -> list[tuple[str, str]]:
    """Every system, with every preset it has, for the calculator's menu: "elo" is the club's own, "elo-fide" …"""
    return [(key, name) for key, (name, _system, _preset) in ways().items()]


def ways() -> dict[str, tuple[str, RatingSystem, dict[str, str]]]:
    """Key in the address → words, system and what of its settings is given. A system's first preset is its own way."""
    found: dict[str, tuple[str, RatingSystem, dict[str, str]]] = {}
    for system in SYSTEMS:
        if not system.presets:
            found[system.key] = (_(system.name), system, {})
        for place, preset in enumerate(system.presets):
            words = str(PRESETS.get((system.key, preset), f"{_(system.name)}{sign(', ')}{preset}"))
            found[f"{system.key}-{preset}" if place else system.key] = (words, system, {"preset": preset})
    return found


def system_choices() -> list[tuple[str, str]]:
    """Every rating system, for a menu."""
    return [(system.key, _(system.name)) for system in SYSTEMS]


class _NamesWidget(forms.MultiWidget):
    """A line for each language, with the language's own name for itself before it."""

    def __init__(self, most: int) -> None:
        super().__init__({code: forms.TextInput({"maxlength": most}) for code, _language in settings.LANGUAGES})

    def decompress(self, value: Any) -> list[str]:
        """A line for each language; an address may ask for anything (?names=x), which names nothing."""
        names = value if isinstance(value, dict) else {}
        return [names.get(code, "") for code, _language in settings.LANGUAGES]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = self.get_context(name, value, attrs)
        lines = []
        for (code, language), line in zip(settings.LANGUAGES, context["widget"]["subwidgets"], strict=True):
            if spoken := line["attrs"].get("aria-label"):  # of a row of fields: the row's, for all languages alike
                line["attrs"]["aria-label"] = f"{spoken}{sign(', ')}{language}"
            lines.append((code, language, BoundWidget(self, line, renderer).tag()))
        return format_html(
            '<span class="names">{}</span>',
            format_html_join("", '<label><span lang="{}">{}</span> {}</label>', lines),
        )


class NamesField(forms.MultiValueField):
    """A name in each of the site's languages, as many as are given: {language code: name}."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        lines = [forms.CharField(max_length=most, required=False) for _language in settings.LANGUAGES]
        about = {
            "label": gettext_lazy("Names in the site’s languages"),
            "help_text": gettext_lazy("Empty: readers of that language see the name above."),
        }
        super().__init__(lines, widget=_NamesWidget(most), required=False, **{**about, **kwargs})

    def compress(self, data_list: list[str]) -> dict[str, str]:
        codes = (code for code, _language in settings.LANGUAGES)
        return {code: text for code, text in zip(codes, data_list, strict=False) if text}
