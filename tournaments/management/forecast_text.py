"""A forecast for programs (an object of plain values) and for people (lines of a table): of the masters' final, and of
one of the club's events. Names are as everybody may read them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from players.privacy.rules import NOBODY, shown_name
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import stages_at, whole_event
from tournaments.forecast.masters_estimates import ChainReport, Forecast
from tournaments.forecasts.selectors.forecasts import GAME_FIGURES, LINE_FIGURES, EventForecast, forecast_kind
from tournaments.models import Stage

# --- the masters' forecast ----------------------------------------------------------------------------------------
_FIGURES = ("name", "p_first", "p_top4", "p_station", "se_first", "se_top4")
_PERCENTAGES = ("p_first", "se_first", "p_top4", "se_top4", "p_station", "se_station")


def as_object(forecast: Forecast) -> dict[str, Any]:
    """Probabilities unrounded; what the method does not know is None."""
    return {
        "rule": forecast.rule.value,
        "method": forecast.method,
        "samples": forecast.samples,
        "players": [{name: getattr(each, name) for name in _FIGURES} for each in forecast.players],
    }


def lines(forecast: Forecast, seed: int) -> Iterator[str]:
    """A table in percent, and how the chain moved."""
    head = f"Masters' final, rule {forecast.rule.value}, "
    if forecast.samples is None:
        yield head + "exact; in percent"
        yield ""
        stations = [(each.name, _percent(each.p_station)) for each in forecast.players]
        yield from _table([("", "a station"), *stations])
        yield ""
        yield "Only the title of a station is known exactly: take mc or mh for the final order."
    else:
        yield head + f"{forecast.method}, {forecast.samples} samples, seed {seed}; in percent, ± one standard error"
        yield ""
        header = ("", "first", "±", "top four", "±", "a station", "±")
        rows = [(each.name, *(_percent(getattr(each, name)) for name in _PERCENTAGES)) for each in forecast.players]
        yield from _table([header, *rows])
    if forecast.chain is not None:
        yield ""
        yield from _moved(forecast.chain, forecast.samples or 0)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"


def _moved(chain: ChainReport, samples: int) -> Iterator[str]:
    yield (
        f"Accepted {_percent(chain.accepted)} % of the moves, {chain.moves} from one sample to the next, "
        f"after {chain.burn_in} samples thrown away."
    )
    yield (
        f"Effective sample size of {samples}: first {chain.effective_first:.0f}, "
        f"top four {chain.effective_top4:.0f}, a station {chain.effective_station:.0f}."
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = (figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *cells]).rstrip()


# --- an event's forecast ------------------------------------------------------------------------------------------
WIDEST = 28  # characters of a name in the table


class NoForecastError(Exception):
    """There is no forecast for this event; the message says why, in English."""


def event_at(slug: str) -> EventData:
    """The event at that address as everybody sees it. Raises NoForecastError."""
    stages: Sequence[Stage] = stages_at(slug)
    if not stages:
        raise NoForecastError(f"There is no event “{slug}”: the last part of its address on the site is its name here.")
    event = whole_event(stages[0], NOBODY)
    if forecast_kind(event) is None:
        raise NoForecastError(
            f"“{slug}” is not forecast: it must be a round robin, a knockout, groups, rated stations or a Swiss with "
            "its number of rounds set, and have a published round."
        )
    return event


def event_object(event: EventData, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with people's numbers and names in place of keys; probabilities unrounded."""
    people = {person.key: person.player for person in event.entrants}
    event_lines = [
        {"player": people[line["entry"]].number, "name": shown_name(people[line["entry"]], NOBODY)}
        | {name: line[name] for name in LINE_FIGURES}
        for line in answer["lines"]
    ]
    games = [
        {"round": game["round"], "white": people[game["white"]].number, "black": people[game["black"]].number}
        | {name: game[name] for name in GAME_FIGURES}
        for game in answer["games"]
    ]
    values = {name: answer[name] for name in ("method", "samples", "seed", "draw_rate", "sampler")}
    return {"event": event.tournament.slug, **values, "players": event_lines, "games": games}


def event_lines(event: EventData, forecast: EventForecast) -> Iterator[str]:
    """A table of places in percent, then the games to be played next."""
    how = f", {forecast.samples} samples" if forecast.samples else ""
    yield f"{event.tournament.name}: {forecast.method}{how}; in percent"
    yield ""
    yield f"{'':{WIDEST}}  title  median  10–90 %  strength"
    for line in forecast.lines:
        name = shown_name(line.entrant.player, NOBODY)[:WIDEST]
        span = f"{line.low}–{line.high}"
        strength = f"{line.strength:.0f} ± {line.deviation:.0f}"
        yield f"{name:{WIDEST}}  {100 * line.title:5.1f}  {line.median:6d}  {span:>7}  {strength:>8}"
    for number, games in groupby(forecast.games, key=lambda game: game.round):
        yield ""
        yield f"Round {number}: win, draw, loss of White"
        for game in games:
            white, black = (shown_name(one.player, NOBODY) for one in (game.white, game.black))
            yield f"{white} – {black}: {100 * game.win:.0f}, {100 * game.draw:.0f}, {100 * game.loss:.0f}"
