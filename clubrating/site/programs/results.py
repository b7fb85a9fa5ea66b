"""Results as programs write and read them: as GAMES.csv has them, and for what that cannot say the code kept."""

from tournaments.interchange.games_csv import NOTATION
from tournaments.standings.points import Result

_WORDS = {result: NOTATION.get(result, result.value) for result in Result}
CODES = {words: result for result, words in _WORDS.items()}
RESULTS = tuple(words for words in CODES if words)


def written(code: str) -> str:
    """A result as it is written; "" for an open game."""
    return _WORDS[Result(code)]
