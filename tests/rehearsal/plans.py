"""What docs/deploy.md and the files beside it say, read so that it can be run: blocks of the guide, units, the image,
the compose file. Nothing is run here."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
GUIDE = ROOT / "docs" / "deploy.md"
UNITS = DEPLOY / "systemd"

_BLOCK = re.compile(r"^#+ (?P<heading>[^\n]+)$|^```sh\n(?P<block>.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<how>[?-])(?P<word>[^}]*))?\}")
_SPAN = re.compile(r"(\d+)(ms|min|s|m|h)?")
_SECONDS = {"ms": 0.001, "s": 1, None: 1, "m": 60, "min": 60, "h": 3600}


def guide_blocks(text: str) -> dict[str, list[str]]:
    """Heading → the blocks of shell under it, in order; before the first heading with one: the page's title."""
    found: dict[str, list[str]] = {}
    heading = ""
    for match in _BLOCK.finditer(text):
        if match["heading"]:
            heading = match["heading"]
        else:
            found.setdefault(heading, []).append(match["block"])
    return found


@dataclass(frozen=True)
class Unit:
    """A unit file: section → name → every value given, in order. An instance of a template has its name put in."""

    name: str
    sections: Mapping[str, Mapping[str, list[str]]]

    def values(self, section: str, key: str) -> list[str]:
        return self.sections.get(section, {}).get(key, [])

    def value(self, section: str, key: str, default: str = "") -> str:
        """The last one given, which is the one that counts."""
        return (self.values(section, key) or [default])[-1]

    @property
    def command(self) -> list[str]:
        return shlex.split(self.value("Service", "ExecStart"))

    def seconds(self, key: str, default: float) -> float:
        text = self.value("Service", key)
        return sum(int(count) * _SECONDS[unit or None] for count, unit in _SPAN.findall(text)) if text else default


def read_unit(folder: Path, name: str) -> Unit:
    """The unit of that name in the folder; `club-worker@1.service` comes from `club-worker@.service`."""
    template = re.sub(r"@[^.]+\.", "@.", name)
    instance = name.partition("@")[2].rpartition(".")[0]
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    for line in (folder / template).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith(("#", ";")):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value.replace("%i", instance))
    return Unit(name, sections)


# --- the image and the compose file ---------------------------------------------------------------------------
@dataclass(frozen=True)
class Image:
    """A stage of the Dockerfile: its instructions in order, as (word, rest)."""

    base: str
    name: str
    instructions: tuple[tuple[str, str], ...]

    def all(self, word: str) -> list[str]:
        return [rest for found, rest in self.instructions if found == word]

    @property
    def command(self) -> list[str]:
        return list(json.loads(self.all("CMD")[-1]))

    @property
    def health(self) -> list[str]:
        return list(json.loads(self.all("HEALTHCHECK")[-1].partition("CMD ")[2]))

    @property
    def environment(self) -> dict[str, str]:
        words = [word for rest in self.all("ENV") for word in shlex.split(rest)]
        return dict(word.split("=", 1) for word in words)


def read_images(text: str) -> dict[str, Image]:
    """The stages of a Dockerfile by name."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    lines = [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines()) if word]
    starts = [number for number, (word, _) in enumerate(lines) if word == "FROM"]
    images = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        base, _, name = lines[start][1].partition(" AS ")
        images[name] = Image(base, name, tuple(lines[start + 1 : end]))
    return images


def read_compose(text: str, variables: Mapping[str, str]) -> dict[str, Any]:
    """The compose file with those variables put in. Raises KeyError for one it demands that is missing or empty."""

    def put_in(match: re.Match[str]) -> str:
        value = variables.get(match["name"], "")
        if not value and match["how"] == "?":
            raise KeyError(match["name"])
        return value or (match["word"] if match["how"] == "-" else "")

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(part) for key, part in value.items()}
        if isinstance(value, list):
            return [filled(part) for part in value]
        return _VARIABLE.sub(put_in, value) if isinstance(value, str) else value

    return dict(filled(yaml.safe_load(text)))
