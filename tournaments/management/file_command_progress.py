"""How far a long command is, on stderr: a bar on a terminal, elsewhere a line every 10 %."""

from typing import Any

WIDTH = 40
STEP = 10  # percent from one line to the next where nobody watches a bar


class Progress:
    """`stream`: a command's own stderr. `total` units, `what` they are ("replications")."""

    def __init__(self, stream: Any, total: int, what: str) -> None:
        self.stream, self.total, self.what = stream, max(1, total), what
        self.is_bar = bool(stream.isatty())
        self.shown = 0

    def tell(self, done: int) -> None:
        """So many units are done."""
        percent = 100 * done // self.total
        if self.is_bar:
            self._bar(percent, done)
        elif percent // STEP > self.shown // STEP:
            self._write(f"{percent:3d} %  {done} of {self.total} {self.what}\n")
        self.shown = max(self.shown, percent)

    def end(self) -> None:
        """Leave the bar's line."""
        if self.is_bar and self.shown:
            self._write("\n")

    def _bar(self, percent: int, done: int) -> None:
        full = WIDTH * percent // 100
        self._write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {percent:3d} %  {done} of {self.total} {self.what}")

    def _write(self, text: str) -> None:
        self.stream.write(text, style_func=str, ending="")
        self.stream.flush()
