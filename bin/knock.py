"""The name bin/healthcheck.py had: units and compose files of earlier versions still call it."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).with_name("healthcheck.py")), run_name="__main__")
