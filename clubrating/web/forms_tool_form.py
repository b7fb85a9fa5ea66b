"""What the forms of the tools share: the question stands in the address, the rarer fields are folded away."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise


class ToolForm(forms.Form):
    """A question to a tool. `more`: names of the fields that are folded away; they are open as soon as one of them is
    filled in or wrong. `button`: its words. `method`: "post" where the answer may be too long for an address. `asks`:
    work is begun by sending it, so it carries a token."""

    more: Sequence[str] = ()
    button: Promise | str = ""
    method = "get"
    asks = False

    @property
    def shown(self) -> list[BoundField]:
        return [field for field in self if field.name not in self.more]

    @property
    def folded(self) -> list[BoundField]:
        return [self[name] for name in self.more if name in self.fields]

    @property
    def is_open(self) -> bool:
        """Whether the folded fields must be seen."""
        return any(field.errors or _is_filled(field) for field in self.folded)


def _is_filled(field: BoundField) -> bool:
    value: Any = field.value()
    return bool(value) and str(value) != str(field.field.initial)
