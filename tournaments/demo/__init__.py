"""The facts of the demo club (pure): who its members are, what a season there looks like, and one real event.

Nothing here touches the database or the clock; `tournaments.services.demo` plays it through the real services.
"""
