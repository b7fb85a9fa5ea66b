#!/usr/bin/env python
"""Django's command line for Club Rating: `python manage.py help` lists what it can do."""

import os
import sys
from importlib import import_module

from django.apps import apps
from django.core.management import execute_from_command_line

from clubrating.ops.logs.failures import report_command_error

# They work on files alone: without the apps, whose models and pages take seconds to load.
FILE_COMMANDS = {
    "check_pairings": "tournaments",
    "pair": "tournaments",
    "rate": "clubrating",
    "simulate_tournament": "tournaments",
    "standings": "tournaments",
    "verify_list": "clubrating",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")
    sys.excepthook = report_command_error
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in FILE_COMMANDS:
        apps.populate([])
        import_module(f"{FILE_COMMANDS[name]}.management.commands.{name}").Command().run_from_argv(sys.argv)
    else:
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
