"""Use cases of the events: the facts change here, and the ratings follow in the same transaction."""
