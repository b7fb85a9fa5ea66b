"""docs/security.md: every test it names is there; and what it says of pins, audits and SQL."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_architecture import MODULES, ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def test_every_test_it_names_is_there() -> None:
    assert len(NAMED) > 35
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file, _name in NAMED}
    missing = [f"{file}::{name}" for file, name in NAMED if f"def {name}(" not in texts[file]]
    assert not missing, "\n".join(missing)


def test_every_line_of_the_table_names_its_test() -> None:
    table = PAGE.partition("## What stops it")[2].partition("Not stopped here")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 25
    assert [row for row in rows if "::test_" not in row] == []


def test_what_leads_elsewhere_leads_somewhere() -> None:
    for page in ("docs/security.md", "docs/operations.md", "SECURITY.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert ((ROOT / page).parent / link).exists(), f"{page}: {link}"


# --- pins ---------------------------------------------------------------------------------------------------------
def test_every_pin_is_exact_and_hashed() -> None:
    for file in ROOT.glob("requirements*.txt"):
        pins = re.split(r"\n(?=\S)", file.read_text(encoding="utf-8").strip())
        assert len(pins) > 1, file.name
        for pin in pins:
            assert re.match(r"[\w.\[\]-]+==[\w.!+-]+", pin), f"{file.name}: {pin[:80]}"
            assert "--hash=sha256:" in pin, f"{file.name}: {pin[:80]}"


def test_every_lock_file_is_asked_about() -> None:
    """Those of extras too: a site that uses Redis runs what its file names."""
    (step,) = [line for line in (ROOT / "bin" / "check").read_text().splitlines() if "bin/audit.py" in line]
    named = step.partition("bin/audit.py ")[2].split()
    asked = {path.name for word in named for path in ROOT.glob(word)}
    assert asked == {path.name for path in ROOT.glob("requirements*.txt")}
    assert {"requirements-redis.txt", "requirements-benchmark.txt"} < asked


def test_the_tool_that_locks_is_of_one_version() -> None:
    script = (ROOT / "bin" / "lock").read_text()
    assert re.search(r"^UV=\d+\.\d+\.\d+$", script, re.MULTILINE)
    assert script.count("install uv") == script.count("install uv==$UV") == 2


FAKE = """
import sys, pathlib
out = pathlib.Path(sys.argv[sys.argv.index("--output") + 1])
told = {told!r}
if told is None:
    sys.stderr.write("WARNING: x\\nERROR:pip_audit._cli:no route to the index\\n")
    sys.exit(1)
out.write_text(told)
sys.exit({status})
"""
HOLED = {"name": "django", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}]}
WHOLE = {"name": "polib", "version": "1.2.0", "vulns": []}
UNKNOWN = {"name": "own", "skip_reason": "not on this index"}


def audit(folder: Path, packages: list[object] | None, status: int = 0) -> subprocess.CompletedProcess[str]:
    """`bin/audit.py` with a pip-audit that answers so; None: it could not ask."""
    found = None if packages is None else json.dumps({"dependencies": packages})
    (folder / "pip_audit.py").write_text(FAKE.format(told=found, status=status))
    command = [sys.executable, str(ROOT / "bin" / "audit.py"), "requirements.txt"]
    own = {**os.environ, "PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
    return subprocess.run(command, env=own, capture_output=True, text=True, timeout=60)


def test_a_known_vulnerability_fails_the_check(tmp_path: Path) -> None:
    done = audit(tmp_path, [HOLED, HOLED, WHOLE], 1)
    assert done.returncode == 1
    assert "django 1.0: PYSEC-1, mended in 1.1, 2.0\nKnown vulnerabilities" in done.stdout
    assert done.stdout.count("PYSEC-1") == 1


def test_without_a_network_it_says_so_and_fails_nothing(tmp_path: Path) -> None:
    done = audit(tmp_path, None, 1)
    assert (done.returncode, done.stdout) == (
        0,
        "Not asked: the index of packages cannot be reached (ERROR:pip_audit._cli:no route to the index).\n",
    )


@pytest.mark.extended
@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ([WHOLE], "1 packages asked about, no vulnerability is known.\n"),
        (
            [WHOLE, UNKNOWN],
            "Not asked about 1 of 2 packages: this index does not tell.\n"
            "1 packages asked about, no vulnerability is known.\n",
        ),
        ([UNKNOWN], "Not asked about 1 of 1 packages: this index does not tell.\n"),
        ([], "Not asked: the index of packages cannot be reached (no answer).\n"),
    ],
)
def test_what_was_not_asked_is_told(tmp_path: Path, packages: list[object], said: str) -> None:
    done = audit(tmp_path, packages)
    assert (done.returncode, done.stdout) == (0, said)


# --- SQL ----------------------------------------------------------------------------------------------------------
# Names of tables and columns are quoted by the driver, values travel beside the text.
PUTS_SQL_TOGETHER = {
    "clubrating.ops.backups.snapshot",
    "clubrating.ops.backups.restoring",
    "clubrating.ops.backups.staging",
    "clubrating.ops.shared_cache",
    "ratings.ledger.services.rows",
}
_WORDS = r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|COPY|DROP|TRUNCATE|ALTER)\s"
_SQL = re.compile(rf"\s*{_WORDS}", re.IGNORECASE)
# A module in which no text begins so is not gone through.
_BEGUN = re.compile(rf"[\"'](?:\\n|\s)*{_WORDS}", re.IGNORECASE)
SUSPECTS = [module for module in MODULES if _BEGUN.search(module.text)]


def puts_sql_together(tree: ast.AST) -> bool:
    """Whether a text that begins like SQL has something put in."""
    for node in ast.walk(tree):
        first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else None
        if isinstance(first, ast.Constant) and _SQL.match(str(first.value)):
            return True
    return False


def test_sql_is_put_together_where_it_is_known_to_be() -> None:
    found = {module.name for module in SUSPECTS if puts_sql_together(module.tree)}
    assert found <= PUTS_SQL_TOGETHER, found - PUTS_SQL_TOGETHER
    assert found


def test_the_scan_sees_sql() -> None:
    for code in ('f"SELECT x FROM {t}"', 'f" delete from {t}"'):
        assert _BEGUN.search(code), code
        assert puts_sql_together(ast.parse(code)), code
    for code in ('f"Select: {t}"', '"SELECT 1"'):
        assert not puts_sql_together(ast.parse(code)), code


def test_nobody_runs_raw_sql_put_together_otherwise() -> None:
    """No `%` and no `format` on a text that begins like SQL."""
    for module in SUSPECTS:
        for node in ast.walk(module.tree):
            left = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
                left = node.func.value
            assert not (isinstance(left, ast.Constant) and _SQL.match(str(left.value))), f"{module.name}: {node.lineno}"
