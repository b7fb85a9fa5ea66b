"""Typed readers for the environment. A bad value stops the program with the variable's name and the remedy."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


def read_text(name: str, default: str = "") -> str:
    """The variable's text without surrounding blanks, or `default` where it is unset."""
    return os.environ.get(name, default).strip()


def read_flag(name: str, *, default: bool = False) -> bool:
    """A yes/no variable. Raises ImproperlyConfigured for anything but 1/0, true/false, yes/no, on/off."""
    text = os.environ.get(name)
    if text is None:
        return default
    word = text.strip().lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={text!r} is neither yes nor no: write 1 or 0.")


def read_list(name: str) -> list[str]:
    """A comma-separated variable; empty parts are dropped."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def read_folder(name: str, default: Path) -> Path:
    """A folder, made absolute. Raises ImproperlyConfigured where a file stands at that path."""
    folder = Path(os.environ.get(name) or default).expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise ImproperlyConfigured(f"{name}={folder} is a file: name a folder.")
    return folder
