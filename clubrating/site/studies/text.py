"""A study's report for people: indices with their spread, ratios, orders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MOST_ORDERS = 5
RANGES = {1: "games 100 to 10,000", 2: "games 10,100 to 100,000"}
HEADER = ("system", "index 1", "± sd", "se", "to elo", "index 2", "± sd", "se", "to elo")


def study_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The study of six systems, or its variant."""
    yield _head(report)
    yield ""
    yield from _table([HEADER, *(_row(key, each) for key, each in report["systems"].items())])
    for number, games in RANGES.items():
        orders = [order for order in report["orders"] if order["range"] == number]
        yield from _orders(orders, number, games)


def diary_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The diary's four figures."""
    yield _head(report)
    if report["bug"]:
        yield "With the fault: a lost game counts -1."
    yield ""
    names = ("spearman", "top_rating", "second_rating", "deficit")
    rows = [(name.replace("_", " "), *(f"{report[name][part]:.4f}" for part in ("mean", "sd", "se"))) for name in names]
    yield from _table([("", "mean", "± sd", "se"), *rows])


def findings_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Each claim's verdict, and below it every figure with two standard errors on either side and its bounds."""
    for claim in report["claims"]:
        yield f"{claim['key']}: {claim['verdict']}"
        for name, each in claim["figures"].items():
            low, high = (_figure(each[bound]) for bound in ("low", "high"))
            asked = "" if each["passes"] is None else f", asked {low} to {high}: {'yes' if each['passes'] else 'no'}"
            yield f"  {name}: {each['mean']:.3f} ± {2 * each['se']:.3f} ({each['replications']}){asked}"


def stream_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The ratings at the last milestone reached, and the index by and by."""
    for key, each in report["systems"].items():
        index = each["index"]
        mean = f"{sum(index) / len(index):.2f}" if index else "none, fewer than 100 games"
        yield f"{key}: mean index {mean}" + (f", last {index[-1]}" if index else "")
        for done, ratings in each["ratings"].items():
            ranked = sorted(ratings.items(), key=lambda each: -each[1])
            yield f"  after {done} games: " + ", ".join(f"{name} {rating:.2f}" for name, rating in ranked)


def _head(report: Mapping[str, Any]) -> str:
    return (
        f"{report['study']}: {report['games']} games a replication, {report['replications']} replications, "
        f"seed {report['seed']}"
    )


def _row(key: str, each: Mapping[str, Any]) -> Sequence[str]:
    cells = [key]
    for index in ("index_1", "index_2"):
        ratio = each.get("ratio_to_elo", {index: {"mean": None}})[index]["mean"]
        cells += [*(_figure(each[index][part]) for part in ("mean", "sd", "se")), _figure(ratio)]
    return cells


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        yield f"{first:<{widths[0]}}  {cells}"


def _orders(orders: Sequence[Mapping[str, Any]], number: int, games: str) -> Iterator[str]:
    if not orders:
        return
    yield ""
    yield f"Orders by index {number} ({games}), least disorder first, and how often each held:"
    for order in orders[:MOST_ORDERS]:
        yield f"{100 * order['share']:6.1f} %  " + " < ".join(order["order"])
    if len(orders) > MOST_ORDERS:
        yield f"          and {len(orders) - MOST_ORDERS} other orders"
