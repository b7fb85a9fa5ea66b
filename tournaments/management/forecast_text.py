"""A forecast for programs and for people."""

from collections.abc import Iterator, Sequence
from typing import Any

from tournaments.forecast.masters_estimates import ChainReport, Forecast, Outlook


def as_object(forecast: Forecast) -> dict[str, Any]:
    """Probabilities unrounded; what the method does not know is None."""
    return {
        "rule": forecast.rule.value,
        "method": forecast.method,
        "samples": forecast.samples,
        "players": [
            {
                "name": each.name,
                "p_first": each.p_first,
                "p_top4": each.p_top4,
                "p_station": each.p_station,
                "se_first": each.se_first,
                "se_top4": each.se_top4,
            }
            for each in forecast.players
        ],
    }


def lines(forecast: Forecast, seed: int) -> Iterator[str]:
    """A table in percent, and how the chain moved."""
    head = f"Masters' final, rule {forecast.rule.value}, "
    if forecast.samples is None:
        yield head + "exact; in percent"
        yield ""
        rows = [("", "a station")] + [(each.name, _percent(each.p_station)) for each in forecast.players]
        yield from _table(rows)
        yield ""
        yield "Only the title of a station is known exactly: take mc or mh for the final order."
    else:
        yield head + f"{forecast.method}, {forecast.samples} samples, seed {seed}; in percent, ± one standard error"
        yield ""
        header = ("", "first", "±", "top four", "±", "a station", "±")
        yield from _table([header, *map(_row, forecast.players)])
    if forecast.chain is not None:
        yield ""
        yield from _moved(forecast.chain, forecast.samples or 0)


def _row(each: Outlook) -> Sequence[str]:
    figures = (each.p_first, each.se_first, each.p_top4, each.se_top4, each.p_station, each.se_station)
    return (each.name, *map(_percent, figures))


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
