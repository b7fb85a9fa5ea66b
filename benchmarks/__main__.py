"""`bin/benchmark`."""

import os
import sys

import django

from clubrating.ops.logs.failures import report_command_error

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")
sys.excepthook = report_command_error
django.setup()

from benchmarks.command import Command  # noqa: E402  (imports models, which stand only now)

Command().run_from_argv(["bin", "benchmark", *sys.argv[1:]])
