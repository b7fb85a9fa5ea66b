"""Typed readers for the environment. A bad value stops the program with the variable's name and the remedy."""

import os
import re
from dataclasses import dataclass
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from clubrating.ground.numbers import whole_number

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}
MAIL_PORTS = {"smtp": 587, "smtps": 465}
IN_THE_DATABASE = "db://"
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*(:[0-9]{{1,5}})?")


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed in: from the first byte encrypted (smtps), or before anything else is sent (smtp)."""

    host: str
    port: int
    user: str
    password: str
    encrypted_at_once: bool


def read_text(name: str) -> str:
    """The variable's text without surrounding blanks, "" where it is unset."""
    return os.environ.get(name, "").strip()


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


def read_hosts(name: str) -> list[str]:
    """Host names, some with a port; none where it is unset. Raises ImproperlyConfigured for what is no host name: an
    address with a path, a pattern, an international name that is not written in ASCII."""
    hosts = read_list(name)
    for host in hosts:
        if len(host) > 253 or not _HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name}: {host!r} is no host name: write names like www.example.org, with commas between them."
            )
    return hosts


def read_choice(name: str, words: tuple[str, ...]) -> str:
    """One of those words, the first where it is unset. Raises ImproperlyConfigured for any other."""
    text = read_text(name) or words[0]
    if text not in words:
        raise ImproperlyConfigured(f"{name}={text!r} is unknown: write {' or '.join(words)}.")
    return text


def read_folder(name: str, default: Path) -> Path:
    """A folder, made absolute. Raises ImproperlyConfigured where a file stands at that path."""
    folder = Path(os.environ.get(name) or default).expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise ImproperlyConfigured(f"{name}={folder} is a file: name a folder.")
    return folder


def read_program(name: str) -> str:
    """The whole path of a program, "" where it is unset; whether it is there shows when it is called. Raises
    ImproperlyConfigured for anything but a whole path."""
    text = read_text(name)
    if text and not text.startswith("/"):
        raise ImproperlyConfigured(f"{name}={text!r} is no whole path: write one like /usr/local/bin/copy-away.")
    return text


def read_count(name: str) -> int:
    """A whole number, 0 where it is unset. Raises ImproperlyConfigured for anything else."""
    text = read_text(name)
    if not text:
        return 0
    count = whole_number(text, digits=3)
    if count is None:
        raise ImproperlyConfigured(f"{name}={text!r} is no count: write a whole number like 1.")
    return count


def read_mail_server(name: str) -> MailServer | None:
    """A mail server's address, None where it is unset. Raises ImproperlyConfigured, without repeating the password."""
    text = read_text(name)
    if not text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port or MAIL_PORTS[parts.scheme]
    except (ValueError, KeyError):
        parts, port = urlsplit(""), 0
    if not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(
            f"{name} is no mail server: write smtp://user:password@host:587 or smtps://user:password@host:465."
        )
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port, user, password, parts.scheme == "smtps")


def read_mail_address(name: str) -> str:
    """A sender like “Club <club@example.org>”, or "". Raises ImproperlyConfigured for what no mail can come from."""
    text = read_text(name)
    local, _at, domain = parseaddr(text)[1].rpartition("@")
    if text and not (local and "." in domain and text.isprintable()):
        raise ImproperlyConfigured(f"{name}={text!r} is no e-mail address: write club@example.org.")
    return text


def read_cache_address(name: str) -> str:
    """Where web processes remember things together: `db://` (the club's database), a Redis server's address, or "" for
    each by itself. Raises ImproperlyConfigured for anything else, without repeating the password."""
    text = read_text(name)
    if text in ("", IN_THE_DATABASE):
        return text
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, known = urlsplit(""), False
    number = parts.path.removeprefix("/")
    if not known or parts.query or parts.fragment or (number and whole_number(number) is None):
        raise ImproperlyConfigured(
            f"{name} is no shared memory: write {IN_THE_DATABASE} for the club’s database, or redis://host:6379/0."
        )
    if find_spec("redis") is None:
        raise ImproperlyConfigured(
            f"{name} names a Redis server, but its package is not installed: pip install -r requirements-redis.txt, "
            f"or write {IN_THE_DATABASE} for the club’s database."
        )
    return text


def read_push_key(name: str, contact_name: str) -> tuple[str, str]:
    """The club's key for notices to browsers, and how push services can reach the club; both empty where they are off.
    Raises ImproperlyConfigured, without repeating the key."""
    key, contact = read_text(name), read_text(contact_name)
    if not key:
        return "", ""
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", key):
        raise ImproperlyConfigured(f"{name} is no key: make one with manage.py push_key.")
    if not contact.startswith(("mailto:", "https://")):
        raise ImproperlyConfigured(
            f"{name} is set without {contact_name}: write mailto:club@example.org, for the push services."
        )
    if find_spec("http_ece") is None or find_spec("py_vapid") is None:
        raise ImproperlyConfigured(f"{name} needs packages of its own: pip install -r requirements-push.txt.")
    return key, contact


def read_passkey_site(name: str) -> str:
    """The site's address as browsers name it ("https://club.example.org"), for which passkeys are made; "" where there
    are none. Raises ImproperlyConfigured for what is no such address, and without the packages."""
    text = read_text(name).rstrip("/")
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        plain = text.lower() == f"{parts.scheme}://{parts.netloc}".lower() and parts.port != 0
    except ValueError:
        parts, plain = urlsplit(""), False
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname == "localhost")
    if not (plain and safe and parts.hostname and "@" not in parts.netloc):
        raise ImproperlyConfigured(f"{name}={text!r} is no address of a site: write https://club.example.org.")
    if find_spec("fido2") is None:
        raise ImproperlyConfigured(f"{name} needs a package of its own: pip install -r requirements-passkeys.txt.")
    return text.lower()
