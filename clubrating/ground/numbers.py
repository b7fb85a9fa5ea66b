"""Whole numbers out of text that somebody typed, or that a form or an address sends."""


def whole_number(text: str, digits: int = 9) -> int | None:
    """The number written in the digits 0 to 9 alone, at most so many; None for anything else.

    `int` by itself also takes signs, blanks, underscores and the digits of every script. Nine digits fit any column.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def number_in(text: str) -> int:
    """A key or a revision that was sent; -1, which no row has, for anything else."""
    found = whole_number(text)
    return -1 if found is None else found
