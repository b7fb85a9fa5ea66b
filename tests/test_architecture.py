"""The four layers, read off every import with `ast`. A line that breaks one is named with the rule's sentence."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("clubrating", "players", "ratings", "tournaments")
# The order in which apps may call each other. In the project's own package `ground` lies below everybody and `web`
# (what every page uses) below the apps' pages; the rest is the roof, where people, events and ratings meet.
HEIGHT = {"players": 1, "ratings": 2, "tournaments": 3, "clubrating": 4}
GROUND, WEB = "clubrating.ground", "clubrating.web"

# A file's name says its layer: `services.py`, or whatever stands in a folder `services/`. What has none of these names
# belongs to the pages (layer 4), but for the rooms and files of layer 1 and the few of layer 3 below.
USE_CASE_NAMES = {"services", "selectors"}
PAGE_NAMES = {"admin", "forms", "management", "tables", "templatetags", "views"}
PURE = (
    GROUND,
    "clubrating.site.demo.candidates",
    "clubrating.site.demo.people",
    "clubrating.site.demo.season",
    "clubrating.site.pictures.drawing",
    "players.notices.hours",
    "players.people.names",
    "players.people.romanisation",
    "players.privacy.redaction",
    "ratings.calculators.one_event",
    "ratings.history",
    "ratings.lab",
    "ratings.lists.sparks",
    "ratings.systems",
    "tournaments.anomalies.likelihood",
    "tournaments.builders.choosing",
    "tournaments.builders.estimates",
    "tournaments.forecast",
    "tournaments.forecasts.evidence",
    "tournaments.interchange",
    "tournaments.pairing",
    "tournaments.pairing_study",
    "tournaments.score_sheets.photos",
    "tournaments.standings",
)
USE_CASES = (
    "clubrating.ops.backups",
    "clubrating.site.jobs.words",
    "clubrating.site.notices.kinds",
    "clubrating.site.notices.letters",
    "clubrating.site.programs.boards",
    "clubrating.site.programs.results",
    "clubrating.site.programs.sending",
    "players.counters",
    "players.notices.kinds",
    "players.officers.roles",
    "players.privacy.rules",
    "players.refusals",
    "ratings.lists.words",
)
# Layer 1 may use these neighbours and nothing else of ours. Everybody may use the ground.
PURE_NEIGHBOURS = {
    "clubrating.site.demo.candidates": ("tournaments.standings",),
    "clubrating.site.demo.season": (
        "clubrating.site.demo.people",
        "ratings.systems",
        "tournaments.interchange",
        "tournaments.standings",
        "tournaments.pairing",
    ),
    "players.people.romanisation": ("players.people.names",),
    "players.privacy.redaction": ("players.people.names",),
    "ratings.calculators.one_event": ("ratings.systems",),
    "ratings.history": ("ratings.systems",),
    "ratings.lab": ("ratings.systems", "ratings.history"),
    "tournaments.anomalies.likelihood": ("ratings.systems", "tournaments.standings"),
    "tournaments.builders.choosing": ("tournaments.forecast",),
    "tournaments.forecast": ("ratings.systems", "tournaments.standings", "tournaments.pairing"),
    "tournaments.forecasts.evidence": ("tournaments.forecast",),
    "tournaments.interchange": (
        "players.people.names",
        "ratings.systems",
        "tournaments.standings",
        "tournaments.pairing",
    ),
    "tournaments.pairing": ("tournaments.standings",),
    "tournaments.pairing_study": (
        "ratings.lab",
        "ratings.systems",
        "tournaments.forecast",
        "tournaments.pairing",
        "tournaments.standings",
    ),
    "tournaments.standings": ("ratings.systems",),
}
CLOCKS = {("datetime", "now"), ("datetime", "today"), ("date", "today"), ("time", "time"), ("timezone", "now")}

SENTENCES = {
    "apart": "Nothing a club runs imports the benchmarks or the tests.",
    "django": "Layer 1 knows rules: no Django, no ORM, no settings.",
    "pure": "Layer 1 imports only layer 1, and only the neighbours named here.",
    "models": "Layer 2 keeps tables: models import models of lower apps and pure code.",
    "use cases": "Layer 3 knows facts: it imports layers 3, 2 and 1, from tournaments to ratings to players.",
    "pages": "Pages use their own app and lower ones; what needs several apps' pages stands in clubrating/site.",
    "clock": "Layer 1 is handed its time: no clock.",
    "random": "Layer 1 is handed its random generator: no global random.",
    "inside": "Imports stand at the top of the file.",
    "signals": "No signals for our own flow.",
    "save": "No overridden save(): facts change through services.",
}


@dataclass(frozen=True)
class Module:
    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """Read when it is asked for: every process of a run finds the modules, and few of them read them."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> list[tuple[int, str]]:
        return list(imports(self.tree))


def modules() -> list[Module]:
    found = []
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, path))
    return found


MODULES = modules()
NAMES = {module.name for module in MODULES}


def is_in(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(room + ".") for room in rooms)


def layer(name: str) -> int:
    """1 pure, 2 models, 3 use cases, 4 web."""
    if is_in(name, PURE):
        return 1
    if is_in(name, tuple(f"{app}.models" for app in APPS)):
        return 2
    parts = set(name.split("."))
    if parts & PAGE_NAMES:
        return 4
    return 3 if is_in(name, USE_CASES) or parts & USE_CASE_NAMES else 4


def height(name: str) -> float:
    """How high the app of a module stands: nothing imports what stands higher."""
    if is_in(name, (GROUND,)):
        return 0
    # Every page stands upon `web`, which itself asks the tables and use cases of players alone.
    return 1.5 if is_in(name, (WEB,)) else HEIGHT[name.split(".")[0]]


def statements(within: ast.AST) -> Iterator[ast.stmt]:
    """Those of a module, class, function or block and of all blocks in it. Not expressions, most of a file."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(within, part, ()):
            if isinstance(each, ast.stmt):
                yield each
            yield from statements(each)


def imports(within: ast.AST) -> Iterator[tuple[int, str]]:
    for node in statements(within):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def ours(name: str) -> bool:
    return name.split(".")[0] in APPS


def complaints(rule: str, found: Iterator[tuple[Module, int, str]]) -> None:
    lines = [f"{module.path.relative_to(ROOT)}:{line}: {what}" for module, line, what in found]
    assert not lines, SENTENCES[rule] + "\n" + "\n".join(lines)


def each_import(level: int) -> Iterator[tuple[Module, int, str]]:
    for module in MODULES:
        if layer(module.name) == level:
            yield from ((module, line, name) for line, name in module.imports)


def test_the_scan_sees_the_code() -> None:
    assert {layer(module.name) for module in MODULES} == {1, 2, 3, 4}
    assert len(MODULES) > 40


def test_nothing_a_club_runs_imports_what_measures_or_tries_it() -> None:
    every = ((module, line, name) for module in MODULES for line, name in module.imports)
    complaints("apart", (hit for hit in every if hit[2].split(".")[0] in {"benchmarks", "tests"}))


def test_layer_1_knows_no_django() -> None:
    complaints("django", (hit for hit in each_import(1) if hit[2].split(".")[0] in {"django", "django_tables2"}))


def test_layer_1_imports_only_layer_1() -> None:
    def is_foreign(module: Module, name: str) -> bool:
        room = next(room for room in PURE if is_in(module.name, (room,)))
        return ours(name) and not is_in(name, (room, GROUND, *PURE_NEIGHBOURS.get(room, ())))

    complaints("pure", (hit for hit in each_import(1) if is_foreign(hit[0], hit[2])))


def test_layer_1_reads_no_clock() -> None:
    def is_clock(node: ast.Attribute) -> bool:
        return isinstance(node.value, ast.Name) and (node.value.id, node.attr) in CLOCKS

    def clocks(module: Module) -> Iterator[tuple[Module, int, str]]:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and is_clock(node):
                yield module, node.lineno, ast.unparse(node)

    complaints("clock", (hit for module in MODULES if layer(module.name) == 1 for hit in clocks(module)))


def test_layer_1_uses_no_global_random() -> None:
    def is_global(name: str) -> bool:
        return name.split(".")[0] == "random" and name != "random.Random"

    complaints("random", (hit for hit in each_import(1) if is_global(hit[2])))


def test_models_import_models_of_lower_apps_and_pure_code() -> None:
    def is_foreign(module: Module, name: str) -> bool:
        if not ours(name) or is_in(name, PURE):
            return False
        app, own = name.split(".")[0], module.name.split(".")[0]
        return not is_in(name, (f"{app}.models",)) or HEIGHT[app] > HEIGHT[own]

    complaints("models", (hit for hit in each_import(2) if is_foreign(hit[0], hit[2])))


def test_use_cases_never_import_upward() -> None:
    def is_foreign(module: Module, name: str) -> bool:
        if not ours(name) or is_in(name, PURE):
            return False
        target = name.rpartition(".")[0] if name not in NAMES else name
        return layer(target) > 3 or height(target) > height(module.name)

    complaints("use cases", (hit for hit in each_import(3) if is_foreign(hit[0], hit[2])))


def test_pages_never_import_a_higher_app() -> None:
    def is_foreign(module: Module, name: str) -> bool:
        if not ours(name) or is_in(name, PURE):
            return False
        if is_in(module.name, (WEB,)):
            return height(name) > 1.5 and layer(name) != 2
        return height(name) > height(module.name) and not is_in(name, (WEB,))

    complaints("pages", (hit for hit in each_import(4) if is_foreign(hit[0], hit[2])))


def test_no_import_hides_inside_a_function() -> None:
    def hidden(module: Module) -> Iterator[tuple[Module, int, str]]:
        for function in statements(module.tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from ((module, line, name) for line, name in imports(function))

    complaints("inside", (hit for module in MODULES for hit in hidden(module)))


def test_no_signals_of_our_own() -> None:
    complaints(
        "signals",
        ((module, line, name) for module in MODULES for line, name in module.imports if "signals" in name),
    )


def test_no_model_overrides_save() -> None:
    def overrides(module: Module) -> Iterator[tuple[Module, int, str]]:
        for node in statements(module.tree):
            if isinstance(node, ast.FunctionDef) and node.name in {"save", "delete"}:
                yield module, node.lineno, node.name

    complaints("save", (hit for module in MODULES if layer(module.name) == 2 for hit in overrides(module)))


def test_no_file_bears_a_name_that_says_nothing() -> None:
    nothing = {"utils", "helpers", "manager", "process", "walkover", "participant"}
    assert [module.path for module in MODULES if module.path.stem in nothing] == []


def test_templates_show_people_only_through_the_one_function() -> None:
    """A player's name reaches a page through `person` or `shown_name`; the admin's own templates are for officers."""
    lines = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if "admin" in path.relative_to(ROOT).parts:
            continue
        text = path.read_text(encoding="utf-8")
        lines += [f"{path.name}: {owner}.name" for owner in ("player", "white", "black") if f"{owner}.name" in text]
    assert not lines, "\n".join(lines)
