"""What hangs on a match of a knockout: the games that a change of its winner would reach."""

from collections.abc import Sequence

from tournaments.models import Game, Pairing


def matches_behind(pairing: Pairing) -> list[Pairing]:
    """The later matches that hang on it and were played or ruled on, each once, depth first. One query
    for each of them."""
    found: list[Pairing] = []
    targets = [pairing.winner_to_id, pairing.loser_to_id]
    rows = Pairing.objects.filter(pk__in=[key for key in targets if key is not None], superseded=False)
    for target in rows.select_related("round").order_by("round__number", "board"):
        if target in found:
            continue  # winner and loser of a double elimination may both have come there
        if target.ruled or target.advanced_id or played_in([target]):
            found += [target, *(row for row in matches_behind(target) if row not in found)]
    return found


def played_in(pairings: Sequence[Pairing]) -> list[Game]:
    """The games of those matches that have a result, in order."""
    games = Game.objects.filter(pairing__in=[row.pk for row in pairings]).exclude(result="")
    return list(
        games.select_related("white", "black", "pairing__round", "tournament").order_by("played_on", "sequence")
    )


def games_behind(game: Game) -> list[Game]:
    """The games with a result that a change of this one may reach: of its match, and of those behind it. No query where
    it is of no match."""
    pairing = game.pairing
    if pairing.slot is None:
        return []
    others = Game.objects.filter(pairing=pairing).exclude(pk=game.pk).exclude(result="").select_related("tournament")
    return [*others, *played_in(matches_behind(pairing))]
