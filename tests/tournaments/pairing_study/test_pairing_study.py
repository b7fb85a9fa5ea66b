"""The study of pairings: its worlds do what they say, and the committed document's first replication again."""

import json
from itertools import pairwise

import pytest
from django.conf import settings

from ratings.lab.scenario_games import SCENARIOS, STEP, scenario
from tournaments.pairing.evening import in_order
from tournaments.pairing_study.club import SEASON, SHOCK, SIZE, TURNOVER, Club, Night
from tournaments.pairing_study.rules import PAIRERS, Record
from tournaments.pairing_study.study import MEASURES, pairings_report, run

RESULTS = settings.BASE_DIR / "ratings" / "lab" / "results"


def nights(key: str, count: int) -> tuple[Club, list[Night]]:
    club = Club(scenario(key), 1, 0)
    return club, [club.night(number, [1000.0] * SIZE) for number in range(1, count + 1)]


def test_worlds_change_when_their_clocks_say_so() -> None:
    club, _ = nights("shock", SHOCK)
    before = club.strengths
    club.night(SHOCK + 1, [])
    moved = {round(now - then, 3) for now, then in zip(club.strengths, before, strict=True)}
    assert moved == {0.0, round(2 * STEP, 3), round(-2 * STEP, 3)}
    club, _ = nights("turnover", TURNOVER)
    old = set(club.present)
    club.night(TURNOVER + 1, [])
    assert (len(club.present), len(old - set(club.present))) == (SIZE, 9)
    club, _ = nights("tiers", 1)
    leagues = [0] * 9 + [1] * 9 + [2] * 9 + [3] * 8
    rising = [float(place) for place in range(SIZE)]
    for number, expected in ((SEASON, leagues), (SEASON + 1, leagues[::-1])):
        club.night(number, rising)
        assert club.people.tier == expected
    club.night(SEASON + 2, rising[::-1])
    assert club.people.tier == leagues[::-1]
    club, [night] = nights("improving", 1)
    at = next(place for place, pace in enumerate(club.people.pace) if pace)
    strength = club.people.strength[at]
    club.play(night, at, (at + 1) % SIZE)
    assert club.people.strength[at] == strength + 1.0


def test_who_comes_does_not_depend_on_who_was_paired_how() -> None:
    club, here = nights("constant", 40)
    other = Club(scenario("constant"), 1, 0)
    for night in here:
        same = other.night(night.number, [float(night.number * place) for place in range(SIZE)])
        other.play(same, *same.guests[:2])
        assert (same.guests, same.apart) == (night.guests, frozenset())
    strong = sorted(club.present, key=lambda place: club.people.strength[place])
    assert strong != club.present, "places say nothing of strengths"


@pytest.mark.parametrize("key", [each.key for each in SCENARIOS])
def test_every_way_pairs_as_many_as_it_can_and_nobody_who_may_not_meet(key: str) -> None:
    for pairer in PAIRERS.values():
        club, record = Club(scenario(key), 3, 0), Record()
        counts = []
        for number in range(1, 5):
            night = club.night(number, record.ratings)
            record.join(len(club.people.strength))
            boards = pairer(record, record.belief(club.present), night)
            assert not {in_order(*board) for board in boards} & night.apart
            seated = [one for board in boards for one in board]
            assert len(seated) == len({*seated} & {*night.guests})
            counts.append(len(boards) == len(night.guests) // 2)
            for white, black in boards:
                record.add(number, white, black, club.play(night, white, black))
        assert all(counts) or club.scenario.tiers or club.scenario.farmers or club.scenario.window


def test_what_was_kept_is_made_again() -> None:
    """Of replication 0 a short world; the rest is the command's."""
    document = json.loads((RESULTS / "pairings.json").read_text(encoding="utf-8"))
    kept = document["first"]["draws"]
    for key in ("learn", "swiss"):
        figures, shares = run(scenario("draws"), PAIRERS[key], document["games"], document["seed"], 0)
        assert {name: kept[key][name] for name in figures} == pytest.approx(figures, rel=1e-5)
        assert len(shares) == document["games"] // document["every"]


def test_a_report_holds_every_way_against_learning() -> None:
    for evenings, replications in ((9, 1), (10, 0)):
        with pytest.raises(ValueError, match="10 evenings and one replication"):
            pairings_report(evenings=evenings, replications=replications, seed=1, tell=lambda done: None)
    worlds = [scenario("equal-activity")]
    found = pairings_report(evenings=10, replications=2, seed=1, tell=lambda done: None, worlds=worlds)
    world = found["worlds"]["equal-activity"]
    assert set(world["ways"]) == set(PAIRERS) == {"learn", *world["differences"]}
    means = {key: figures["games"]["mean"] for key, figures in world["ways"].items()}
    assert world["differences"]["near"]["games"]["mean"] == pytest.approx(means["learn"] - means["near"])
    assert all(set(figures) == set(MEASURES) for figures in world["ways"].values())
    assert all(one <= two + 0.2 for one, two in pairwise(world["course"]["learn"]))
