"""The addresses that write, and the one that tells what a token is."""

from collections.abc import Mapping

from clubrating.site.programs.description.base import Endpoint
from clubrating.site.programs.results import RESULTS
from clubrating.site.programs.shapes import Shape, day, flag, record, rows, text, whole
from players.programs.services import CHECK_IN, ENTRIES, SCOPES
from players.programs.services import RESULTS as RESULTS_SCOPE
from players.trail.services import RESULT_REASONS

REFUSALS = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429)
_SLUG = text("the slug of the event")
_ROUND, _BOARD = whole("number of the round").or_null(), whole("number of the board").or_null()
_PLAYER = whole("number of the player in the club", least=1)
_REVISION = "the revision the program knows: where the game has another by now, nothing is done (409)"
RESULT = text("the result as `rounds/` writes it, or its code: `W`, `D`, `L` are played and not rated", *RESULTS)
_SCORE = text("“21-15”, White first, where the event keeps scores", most=20)
_DAY = day("the day it was played on; without it the planned day, at latest today")
PLAYED: dict[str, Shape] = {
    "result": text("", *RESULTS, ""),
    "score": text(),
    "played_on": day().or_null(),
    "revision": whole("raised by every change of the game"),
}
_BOARD_NOW = {
    "tournament": _SLUG,
    "round": _ROUND,
    "board": _BOARD,
    "game": whole("1, or more in a match of several games"),
    **PLAYED,
}
_NOTE = text("a word for the officers' trail", most=500)

ENDPOINTS = (
    Endpoint(
        "token",
        "What the token of the request is: its `name`, the `officer` it acts for, its `scopes`, the one `event` "
        "it is for "
        "(`null`: all its officer runs), and when it ends.",
        record(
            name=text(),
            officer=text(),
            scopes=rows(text("", *SCOPES)),
            event=text().or_null(),
            expires_at=text("with the time zone"),
        ),
        refusals=(401, 403, 429),
    ),
    Endpoint(
        "result",
        "Enters the first result of a board. Of a match of several games it is the latest one.",
        record(**_BOARD_NOW),
        method="POST",
        scope=RESULTS_SCOPE,
        body=record(
            **{
                "result": RESULT,
                "played_on?": _DAY.or_null(),
                "score?": _SCORE.or_null(),
                "revision?": whole(_REVISION).or_null(),
            }
        ),
        refusals=REFUSALS,
    ),
    Endpoint(
        "correction",
        "Puts another result in the place of one that was entered; an empty one clears the board. Lists are rated anew "
        "from that game on; behind many games that is done in the background: status 202, and `waiting`. Where a "
        "bracket "
        "would have to be decided anew it is refused: that is for the desk.",
        record(**{**_BOARD_NOW, "waiting?": flag()}),
        method="POST",
        also=(202,),
        scope=RESULTS_SCOPE,
        body=record(
            **{
                "result": text("as for `result/`, or empty", *RESULTS, ""),
                "revision": whole(_REVISION),
                "reason": text(
                    "why, for the public list of corrections", *(str(each.value) for each in RESULT_REASONS)
                ),
                "note?": _NOTE,
                "played_on?": day("where that is wrong too").or_null(),
                "score?": _SCORE.or_null(),
            }
        ),
        refusals=REFUSALS,
    ),
    Endpoint(
        "entries",
        "Enters a player, late where rounds are made and the format has room.",
        record(
            tournament=_SLUG,
            player=_PLAYER,
            pairing_number=whole("in the event; `null` until numbers are given").or_null(),
            first_round=whole("in which the player takes part"),
        ),
        method="POST",
        scope=ENTRIES,
        status=201,
        body=record(**{"player": _PLAYER, "partners?": rows(_PLAYER, "who play together with the player", most=10)}),
        refusals=REFUSALS,
    ),
    Endpoint(
        "withdrawal",
        "The player with that number in the club leaves the event, as on the desk; before there are rounds the "
        "entry is "
        "taken back.",
        record(tournament=_SLUG, player=_PLAYER, withdrawn=flag()),
        method="POST",
        scope=ENTRIES,
        body=record(**{"note?": _NOTE}),
        refusals=REFUSALS,
    ),
    Endpoint(
        "check-in",
        "Notes who is here on a day. Whoever is not named stays as noted before. All of it is taken, or nothing.",
        record(tournament=_SLUG, on=day(), changed=whole("of how many something was noted that was not known")),
        method="POST",
        scope=CHECK_IN,
        body=record(
            **{
                "here?": rows(_PLAYER, "who is here", most=1000),
                "away?": rows(_PLAYER, "who is not", most=1000),
                "unknown?": rows(_PLAYER, "of whom it is not known any more", most=1000),
                "on?": day("a day before; without it today").or_null(),
            }
        ),
        refusals=REFUSALS,
    ),
    Endpoint(
        "absence",
        "Notes that a player will miss a round, or comes after all. Nobody is paired or moved by it.",
        record(tournament=_SLUG, round=whole(), player=_PLAYER, absent=flag()),
        method="POST",
        scope=CHECK_IN,
        body=record(player=_PLAYER, absent=flag("false takes the notice back")),
        refusals=REFUSALS,
    ),
)
WRITING: Mapping[str, Endpoint] = {each.name: each for each in ENDPOINTS if each.method == "POST"}
