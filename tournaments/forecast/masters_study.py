"""The masters' forecast under one rule, by all methods side by side: plain, by chains, and exactly where that is known.

`side_by_side` gives plain values, as they are stored and shown: for each method and question a figure a player, by
rating, and its standard error; of the chains how they moved. `masters_report` is the document of the paper's eight,
every rule beside the others; `manage.py run_study masters` writes it.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

from numpy.random import PCG64, Generator

from tournaments.forecast.masters import MASTERS, MastersField, Rule
from tournaments.forecast.masters_chain import USUAL, Plan
from tournaments.forecast.masters_estimates import ChainReport, Forecast, exact, metropolis, monte_carlo

SAMPLES, CHAINS = 100_000, 4
OF_A_CHAIN = 10  # a chain has as many samples as the plain method has tens: it costs so much more
QUESTIONS = ("first", "top4", "station")
Tell = Callable[[int], None]


class Sizes(NamedTuple):
    """Events of the plain method, and how many chains with a tenth as many samples each."""

    samples: int = SAMPLES
    chains: int = CHAINS


SHIPPED = Sizes()


def side_by_side(
    field: MastersField,
    rule: Rule,
    seed: int,
    tell: Tell = lambda percent: None,
    plan: Plan = USUAL,
    sizes: Sizes = SHIPPED,
) -> dict[str, Any]:
    """`plain`, `chain`: for each question `p` and `se`, a figure a player, and the samples; `exact`: the titles.
    `tell` is told the per cent done. Raises ValueError for fewer than forty samples."""
    samples, chains = sizes
    each = samples // OF_A_CHAIN
    # A chain's sample costs about as much as ten events of the plain method, so the plain part is one of so many.
    whole = (chains + 1) * each

    def plain_tell(done: int) -> None:
        tell(100 * (done // OF_A_CHAIN) // whole)

    def chain_tell(done: int) -> None:
        tell(100 * (each + done) // whole)

    plain = monte_carlo(field, rule, samples, _random(seed, rule, 0), plain_tell, plan)
    chain = metropolis(field, rule, each, _random(seed, rule, 1), chain_tell, plan, chains)
    assert chain.chain is not None
    titles = [player.p_station for player in exact(field, rule, plan).players]
    return {
        "plain": _figures(plain),
        "chain": _figures(chain) | _moves(chain.chain, chains),
        "exact": titles,
    }


def masters_report(samples: int, chains: int, seed: int, tell: Tell = lambda rules: None) -> dict[str, Any]:
    """The paper's eight under every rule; `tell` is told how many rules are done. Raises ValueError as
    `side_by_side`."""
    rules = {}
    for done, rule in enumerate(Rule, start=1):
        rules[rule.value] = side_by_side(MASTERS, rule, seed, sizes=Sizes(samples, chains))
        tell(done)
    head = {"study": "masters", "samples": samples, "chains": chains, "seed": seed, "stations": USUAL.stations}
    return head | {"players": list(MASTERS.names), "ratings": list(MASTERS.ratings), "rules": rules}


def _random(seed: int, rule: Rule, method: int) -> Generator:
    """Of its own for every rule and method, so that one does not hang on which others are run."""
    return Generator(PCG64([seed, list(Rule).index(rule), method]))


def _figures(found: Forecast) -> dict[str, Any]:
    asked = {
        question: {kind: [getattr(player, f"{kind}_{question}") for player in found.players] for kind in ("p", "se")}
        for question in QUESTIONS
    }
    return {"samples": found.samples, **asked}


def _moves(report: ChainReport, chains: int) -> dict[str, Any]:
    return {
        "chains": chains,
        "burn_in": report.burn_in,
        "moves": report.moves,
        "accepted": report.accepted,
        "effective": {question: getattr(report, f"effective_{question}") for question in QUESTIONS},
        # Infinite only where something never moved in one chain and came in another.
        "rhat": report.rhat if isfinite(report.rhat) else None,
    }
