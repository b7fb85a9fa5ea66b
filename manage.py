#!/usr/bin/env python
"""Django's command line for Club Rating: `python manage.py help` lists what it can do."""

import os
import sys

from django.core.management import execute_from_command_line

from clubrating.ops.logs.failures import report_command_error


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")
    sys.excepthook = report_command_error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
