"""Is a package we build on known to be vulnerable? Asks the index about every pin of the lock files named.

    audit.py requirements*.txt

Status 1 where a vulnerability is known: each is named with the version that mends it. Without a network nothing can be
known: that is said, and is no fault of the code. Standard library and pip-audit only.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def ask(files: list[str]) -> tuple[list[dict[str, object]] | None, str]:
    """What is said of every package, and the tool's last word; None where it could not ask."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    command += ["--desc", "off", "--timeout", "10", "--format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pins = [word for name in files for word in ("--requirement", str(PROJECT / name))]
        done = subprocess.run(
            [*command, *pins, "--output", str(report)], capture_output=True, text=True, check=False, cwd=PROJECT
        )
        last = (done.stderr.strip() or "no answer").rpartition("\n")[2]
        try:
            return list(json.loads(report.read_text(encoding="utf-8"))["dependencies"]), last
        except (OSError, ValueError, KeyError):
            return None, last


def vulnerable(packages: list[dict[str, object]]) -> tuple[list[str], int]:
    """A line for each known vulnerability, and how many packages could not be asked about."""
    lines = []
    for package in packages:
        for flaw in package.get("vulns", []):  # type: ignore[attr-defined]
            mended = ", ".join(flaw["fix_versions"]) or "no version yet"
            lines.append(f"{package['name']} {package.get('version', '')}: {flaw['id']}, mended in {mended}")
    return sorted(set(lines)), len({str(each["name"]) for each in packages if "skip_reason" in each})


def main(files: list[str]) -> int:
    packages, last = ask(files)
    if not packages:
        sys.stdout.write(f"Not asked: the index of packages cannot be reached ({last}).\n")
        return 0
    lines, skipped = vulnerable(packages)
    count = len({str(each["name"]) for each in packages})
    if skipped:
        sys.stdout.write(f"Not asked about {skipped} of {count} packages: this index does not tell.\n")
    if lines:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.write("Known vulnerabilities: raise the pin, then bin/lock (docs/security.md).\n")
        return 1
    if count > skipped:
        sys.stdout.write(f"{count - skipped} packages asked about, no vulnerability is known.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
