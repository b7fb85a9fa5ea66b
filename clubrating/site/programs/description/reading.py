"""The addresses that read. They tell what a visitor sees who is not signed in."""

from collections.abc import Mapping

from clubrating.site.programs.description.base import Endpoint
from clubrating.site.programs.description.writing import PLAYED
from clubrating.site.programs.shapes import Shape, anything, day, flag, number, record, rows, text, whole

_NUMBER = whole("the player's number in the club")
_NAME = text("as the reader may see it")
_FIGURES: Mapping[str, Shape] = {"rating": number(), "rank?": number(), "deviation?": number(), "listed?": number()}
_PAGES: Mapping[str, Shape] = {"page": whole(), "next": whole().or_null()}
_PAGE: Mapping[str, Shape] = {"page": whole("from 1 on", least=1)}
_SLUG = text("the slug of the event")
_RANKED: Mapping[str, Shape] = {
    "place": whole().or_null(),
    "player": _NUMBER,
    "name": _NAME,
    **_FIGURES,
    "games": whole(),
    "provisional": flag(),
}
_PERSON: Mapping[str, Shape] = {
    "number": _NUMBER,
    "name": _NAME,
    "reading?": text(),
    "title?": text(),
    "active?": flag(),
}
_EVENT: Mapping[str, Shape] = {
    "slug": text(),
    "name": text(),
    "state": text("", "coming", "running", "finished", "open-ended"),
    "format": rows(text()),
    "place": text(),
    "pool": text(),
    "game": text("", "chess", "xiangqi", "go", "draughts"),
    "rated": flag(),
    "starts_on": day().or_null(),
    "ends_on": day().or_null(),
    "players": whole(),
    "rounds": whole().or_null(),
    "games": whole(),
    "tables": whole(),
}
_ROWS: Mapping[str, Shape] = {"tournament": _SLUG, "rows": rows(record("a column each"))}
_SIDE = record(
    place=whole(),
    score=anything(),
    players=rows(record(player=_NUMBER, name=_NAME, weight=number())),
)

ENDPOINTS = (
    Endpoint(
        "index",
        "The club's `club` (its name) and `time_zone`, the `version`, and the addresses of `ratings`, "
        "`tournaments` and "
        "`players`.",
        record(version=whole(), club=text(), time_zone=text(), ratings=text(), tournaments=text(), players=text()),
        refusals=(),
    ),
    Endpoint("openapi", "This description, for programs that write programs (OpenAPI 3.1).", record(), refusals=()),
    Endpoint(
        "ratings",
        "`ratings`: every public list in the club's order: `slug`, `name`, `pool`, `primary`, "
        "`provisional_games` and the "
        "days it was `published` for, the latest first.",
        record(
            ratings=rows(
                record(
                    slug=text(),
                    name=text(),
                    pool=text(),
                    primary=flag(),
                    provisional_games=whole(),
                    published=rows(day()),
                )
            )
        ),
        refusals=(),
    ),
    Endpoint(
        "ranks",
        "At most ten ranked players from place `?from=` on (1), fewer with `?count=`: `list`, `from`, `ranked` "
        "(how many "
        "take a place) and `players`, each with `place`, `player` (the number), `name`, `rating`, `games`, "
        "`provisional`. "
        "The whole list, of any day, is a file: `/ratings/<slug>/list.csv`, or `list.json` with the same "
        "figures: `list`, "
        "`name`, `pool`, `kind`, `on`, `digest`, `settings` and `players` with the fields above, ratings to four "
        "decimals.\n\nA list by TrueSkill or Weng–Lin is in order of `listed` = `rating` − 3 `deviation`; its "
        "players have "
        "these two as well, here, under `rank`, in `list.json` and under a person's `ratings`, and all three to four "
        "decimals.",
        record(**{"list": text(), "from": whole(), "ranked": whole(), "players": rows(record(**_RANKED))}),
        query={"from": whole("the first place", least=1), "count": whole("10 at most", least=1)},
        refusals=(400, 404),
    ),
    Endpoint(
        "rank",
        "Where the player with number `n` stands: the same fields; `place` is `null` for whoever takes none.",
        record(list=text(), ranked=whole(), **_RANKED),
    ),
    Endpoint(
        "players",
        "`players` by name, a hundred a page (`?page=`; `next` is `null` on the last one): `number`, `name`; of those "
        'whose name is seen also `reading` (the name in another script, or ""), `title` and `active`. `?q=` '
        "searches the "
        "names that are seen and their readings, in any script, with or without marks.",
        record(**_PAGES, players=rows(record(**_PERSON))),
        query={**_PAGE, "q": text("a few letters of the name", most=100)},
        refusals=(400,),
    ),
    Endpoint(
        "player",
        "One person, with `ratings`: `list`, `rating`, `games`, `provisional` in every public list.",
        record(
            **_PERSON,
            ratings=rows(record(list=text(), **_FIGURES, games=whole(), provisional=flag())),
        ),
    ),
    Endpoint(
        "tournaments",
        "`tournaments`, the latest first, a hundred a page: `slug`, `name`, `state` (`coming`, `running`, `finished`, "
        "`open-ended`), `format` (the keys of its parts), `place`, `pool`, `game` (`chess`, `xiangqi`, `go`, "
        "`draughts`), "
        "`rated`, `starts_on`, `ends_on`, `players`, `rounds` (`null` where the number is not known), `games` (with a "
        "result), `tables` ([contests with sides](contests.md)). In xiangqi `white` is Red, who begins; in go it "
        "is White, "
        "who does not.",
        record(**_PAGES, tournaments=rows(record(**_EVENT))),
        query=_PAGE,
        refusals=(400,),
    ),
    Endpoint(
        "tournament",
        "One of them, with `points` (the point system), `tiebreaks` (codes in order), `swiss_edition`, "
        "`tiebreak_edition`.",
        record(
            **_EVENT,
            points=text(),
            tiebreaks=rows(text()),
            swiss_edition=anything(),
            tiebreak_edition=anything(),
        ),
    ),
    Endpoint("entries", "`rows`: the columns of `entries.csv` ([files.md](files.md)).", record(**_ROWS)),
    Endpoint(
        "standings",
        "`rows`: the columns of `standings.csv`, tie-breaks under their codes; of a knockout or a "
        "double elimination the places, of a ladder its "
        "places, of an event of tables their standings. Of a team event the league table: `place`, "
        "`team_number`, `team`, "
        "`played`, `won`, `drawn`, `lost`, `match_points`, `game_points`, then the tie-breaks.",
        record(**_ROWS),
    ),
    Endpoint(
        "matches",
        "Of a team event every match and bye in order of rounds: `rows` with `round` and `match` (its number in the "
        "round), `date`, `time`, `venue`, `state` (`planned`, `line-ups` where one or both are in, `ready`, `playing`, "
        "`finished`, `postponed`, `defaulted`, `ruled`, `bye`), the teams (`home_number`, `home`, `away_number`, "
        "`away`), "
        "`home_game_points`, `away_game_points` (the running score; `null` before the first result), "
        "`home_match_points`, `away_match_points` (`null` while it is open) and `first_planned`, the day it had "
        "before it "
        "was postponed. The boards are rows of `rounds/`, once both line-ups are in.",
        record(**_ROWS),
    ),
    Endpoint(
        "teams",
        "Of a team event everybody on the teams’ lists: `team_number`, `team`, `list_place`, `number`, `player`, "
        "`rating` "
        "(at entry), `reserve`, `nominated` (0 or 1), and what they did for the team: `games`, `points`, "
        "`wins_by_default`, `performance` (FIDE’s, `null` where an opponent has no rating). Other events answer both "
        "addresses with 404.",
        record(**_ROWS),
    ),
    Endpoint(
        "rounds",
        "`rows`: the columns of `pairings.csv`: every board, bye and match of all published rounds; `score` "
        '(`"21-15"`, '
        "White first) where the event keeps scores; last `note`, what an arbiter says of the result.",
        record(**_ROWS),
    ),
    Endpoint("round", "The same of one round.", record(round=whole(), **_ROWS)),
    Endpoint(
        "board",
        "One board of a published round: the number (`white_number`) and name (`white`) of each side, and of its "
        "latest game `result`, `score`, `played_on` and `revision`, which a correction needs. Groups that play "
        "a round side by side have boards of the same numbers: there this, and what is sent to a board, is refused "
        "(409).",
        record(
            tournament=_SLUG,
            round=whole(),
            board=whole(),
            game=whole("1, or more in a match of several games"),
            white_number=_NUMBER,
            white=_NAME,
            black_number=_NUMBER,
            black=_NAME,
            **PLAYED,
        ),
        refusals=(404, 409),
    ),
    Endpoint(
        "tables",
        '`tables` of the event, the latest first, a hundred a page, and what its `scores` are ("" for none). A '
        "table has "
        "its number `table`, `played_on` and `sides` in order of place: `place` (1 is first, equal places are a tie), "
        "`score` (`null` where there is none) and `players`, each with `player`, `name` and `weight`, the share of the "
        "table that player took part in.",
        record(
            tournament=_SLUG,
            **_PAGES,
            scores=text(),
            tables=rows(record(table=whole(), played_on=day(), sides=rows(_SIDE))),
        ),
        query=_PAGE,
        refusals=(400, 404),
    ),
    Endpoint(
        "forecast",
        "Of a round robin, Swiss or knockout under way, or over: `format`; `now`, the forecast as it stands "
        "(`null` while "
        "nobody has asked for it on the page, and once the event is over); `before_rounds`, what was said before each "
        "round; `score` of those (`games`, mean `log_loss`, that of the ratings alone `by_rating`, of a `coin`, and "
        "`brier`; `null` before a game was played). A forecast has `before_round`, `made_at`, `method` (`exact`, "
        "`sampled`, `sampled-fast`), `samples`; `players`: the `number` in the event, `player`, `name`, the chance of "
        "`first` and of all `places`, mean `points` (in half-points where a draw is half a point; `null` in a "
        "knockout), "
        "`strength` and its `deviation`; `games`: `round`, the numbers of `white` and `black`, `win`, `draw`, `loss`, "
        "White’s expected score `by_rating`, and the `result`.\n\n"
        "Of an all-play-all of teams `format` is `teams`, and `now` has `teams` (`number`, `name`, `first`, "
        "`up`, `down`, "
        "`places`, `match_points`, `game_points`) and the next `matches` (`round`, `home`, `away`, `win`, `draw`, "
        "`loss`). Each figure is an object of `value` and standard `error`; nothing is kept before rounds.",
        record(
            **{
                "tournament": _SLUG,
                "format": text(),
                "now": anything(),
                "before_rounds?": rows(record()),
                "score?": anything(),
            }
        ),
    ),
)
