"""How a service says no: an exception whose text is meant for the person who asked."""


class Refused(ValueError):  # noqa: N818 — it is an answer, not a malfunction
    """The request cannot be carried out. The text says why and what to do; nothing was changed."""


class Stale(Refused):
    """Somebody else changed the same fact meanwhile."""
