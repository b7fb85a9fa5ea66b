"""`manage.py messages`: the catalogues of the site's words, brought up to date, checked, compiled."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubrating.ops.languages.catalogues import compile_texts, complaints, locales, update
from clubrating.ops.languages.marked_words import UnreadableMarkError, messages
from tournaments.management.plain_command import DIFFERENT, bad_input


class Command(BaseCommand):
    help = """The words of the site in its languages (docs/languages.md).

“update” reads every marked string of the code and brings clubrating/locale/…/django.po up to date: what is new is
empty, what is gone is dropped. “check” names everything that is not translated or cannot be right, and ends with
status 1. “compile” makes the files the site reads, in CLUB_DATA/locale; bin/serve does this at every start."""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["update", "check", "compile"])

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        try:
            {"update": self._update, "check": self._check, "compile": self._compile}[what]()
        except UnreadableMarkError as error:
            raise bad_input(str(error)) from None

    def _update(self) -> None:
        strings = messages()
        for locale in locales():
            done = update(strings, locale)
            self.stdout.write(f"{locale}: {done.added} new, {done.dropped} gone, {done.empty} to be translated")

    def _check(self) -> None:
        strings = messages()
        wrong = [complaint for locale in locales() for complaint in complaints(strings, locale)]
        for complaint in wrong:
            self.stdout.write(str(complaint))
        if wrong:
            raise CommandError(f"{len(wrong)} to mend", returncode=DIFFERENT)

    def _compile(self) -> None:
        for locale in compile_texts():
            self.stdout.write(f"{locale}: compiled")
