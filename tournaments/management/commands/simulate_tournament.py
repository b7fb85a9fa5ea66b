"""`manage.py simulate_tournament --system dutch --players N --rounds R --seed S`: a random event as a report."""

from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournaments.interchange.standings_of_report import report_of_simulation
from tournaments.interchange.trf import VERSIONS, write_report
from tournaments.management.file_command import FileCommand, bad_input
from tournaments.management.plain_command import DIFFERENT
from tournaments.pairing import PairingError, PairingSystem, pairing_system
from tournaments.pairing.base import SWISS_EDITIONS, RoundSystem
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.simulation import Plan, SimulatedEvent, simulate

_SYSTEMS = (Dutch.key,)
_SEEDS_BELOW = 2**63


class Command(FileCommand):
    help = """Make up a Swiss and write it as a tournament report, on stdout or to a file.

Results follow the players' strengths. Some ask for a bye, do not come, enter late or leave; every round is paired by
the rules. The same options and the same seed make the same file. Handy for trying another program, or check_pairings.

Status 0: written. 1: a round could not be paired, which happens in long events of few players: try another seed.
2: options that cannot be.

  manage.py simulate_tournament --system dutch --players 40 --rounds 7 --seed 1 --out event.trf
  manage.py simulate_tournament --players 120 --rounds 9 --seed 1 --acceleration baku --version 26 > open.trf"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--system", choices=_SYSTEMS, default=Dutch.key, help="the pairing system (default: dutch)")
        parser.add_argument("--players", type=int, required=True, metavar="N", help="how many enter")
        parser.add_argument("--rounds", type=int, required=True, metavar="R", help="how many rounds")
        parser.add_argument("--seed", type=int, required=True, metavar="S", help="a number from 0 on")
        parser.add_argument("--edition", type=int, choices=SWISS_EDITIONS, default=SWISS_EDITIONS[-1])
        parser.add_argument("--acceleration", choices=("none", "baku"), default="none")
        parser.add_argument("--version", type=int, choices=VERSIONS, default=16, help="TRF16 (default) or TRF26")
        parser.add_argument("--out", type=Path, metavar="F.trf", help="write to a file instead of stdout")

    def run(self, *, version: int, out: Path | None, seed: int, **options: Any) -> None:
        system = pairing_system(options["system"])
        _refuse(system, options["players"], options["rounds"], seed)
        event = self._simulated(system, seed, options)
        name = f"Simulated: {options['players']} players, {options['rounds']} rounds, seed {seed}"
        self.write_out(write_report(report_of_simulation(event, name), version).decode(), out)

    def _simulated(self, system: PairingSystem, seed: int, options: dict[str, Any]) -> SimulatedEvent:
        """Raises CommandError where a round cannot be paired."""
        assert isinstance(system, RoundSystem)
        rng = Random(seed)
        settings = {name: options[name] for name in ("rounds", "acceleration")}
        settings["first_colour"] = rng.choice(("white", "black"))
        plan = Plan(system, options["players"], settings, edition=options["edition"])
        played: list[int] = []

        def tell(number: int) -> None:
            played.append(number)
            self.stderr.write(f"round {number} of {plan.rounds}")

        try:
            return simulate(plan, rng, tell)
        except PairingError as reason:
            text = f"Round {len(played) + 1}: {reason} Nothing was written."
            raise CommandError(text, returncode=DIFFERENT) from None


def _refuse(system: PairingSystem, players: int, rounds: int, seed: int) -> None:
    """Raises CommandError for numbers out of range."""
    if not system.min_players <= players <= system.max_players:
        raise bad_input(f"--players: a Swiss has {system.min_players} to {system.max_players}, not {players}.")
    most = next(option.highest for option in system.options if option.key == "rounds")
    if not 1 <= rounds <= most:
        raise bad_input(f"--rounds: a Swiss has 1 to {most}, not {rounds}.")
    if rounds > players - 1 + players % 2:
        raise bad_input(f"--rounds: {players} players cannot play {rounds} rounds without meeting again.")
    if not 0 <= seed < _SEEDS_BELOW:
        raise bad_input("--seed: expected a whole number from 0 on, of up to 18 figures.")
