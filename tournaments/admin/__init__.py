"""Tournaments in the admin: one page per step of an arbiter's evening.

`tournament`    the event's own form with the steps on top, list, deletion
`entries`       who plays, and with which number
`rounds`        make them all, see how far they are, take them back
`results`       one round's boards: `board_shown` is what the page shows of each, `result_entry` the saving, and
                `board_entry` takes one keystroke at a time
`game`          any game, also of a club evening: record or correct its result
`correction`    what every correction shows before it is made; `correction_pages` the kinds of them,
                `games_brought` a forgotten game and a file of games
`taking_back`   rounds out of sight or deleted; `undo` the last risky action taken back
`trail`         the audit trail, of everything and of one event; `trail_words` a line of it in words,
                `trail_actions` what was done
`reports`       tournament reports, in and out
`result_reports` what people say is wrong
`prizes`        the prizes of an event; `season` tables over several
"""

from django.contrib import admin

from tournaments.admin.game import GameAdmin
from tournaments.admin.season import SeasonAdmin
from tournaments.admin.tournament import TournamentAdmin
from tournaments.models import Game, Season, Tournament

admin.site.register(Tournament, TournamentAdmin)
admin.site.register(Game, GameAdmin)
admin.site.register(Season, SeasonAdmin)
