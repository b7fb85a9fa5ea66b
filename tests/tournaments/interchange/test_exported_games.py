"""The games of an export as replay takes them."""

from datetime import date

from tournaments.interchange.games_csv import read_exported_games


def test_a_margin_is_what_both_sides_points_tell() -> None:
    rows = ("#1,#2,1-0,2026-01-05,90,40", "#1,#2,1-0,2026-01-06,,", "#1,#2,0-1,2026-01-07,3,5")
    data = "\n".join(("white,black,result,date,white_points,black_points", *rows)).encode()
    found = read_exported_games(data, today=date(2026, 2, 1), default_pool="standard")
    assert not found.bad
    assert [game.margin for _pool, game in found.rows] == [50, None, 2]
