"""`manage.py benchmark`: says that it is `bin/benchmark` now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Moved: start bin/benchmark instead, with the same arguments."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(argv[:2])

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError("The benchmarks moved: start bin/benchmark instead, with the same arguments.", returncode=2)
