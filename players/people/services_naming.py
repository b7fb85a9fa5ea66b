"""What any name of ours must be: cleaned, with a letter or digit in it, and as short as its column."""

from players.people.names import clean_name
from players.refusals import Refused


def usable_name(text: str, *, most: int, if_empty: str, if_long: str) -> str:
    """The cleaned name. Raises Refused with `if_empty` or `if_long`, where "%(most)s" stands for the limit."""
    name = clean_name(text)
    if not any(char.isalnum() for char in name):
        raise Refused(if_empty)
    if len(name) > most:
        raise Refused(if_long % {"most": most})
    return name
