"""The admin's pages about events, as the rooms bring them."""

from django.contrib import admin

from tournaments.corrections.admin.game import GameAdmin
from tournaments.events.admin.tournament import TournamentAdmin
from tournaments.models import Game, League, LeagueClub, Season, Tournament
from tournaments.seasons.admin import SeasonAdmin
from tournaments.teams.admin.clubs import LeagueAdmin, LeagueClubAdmin

admin.site.register(Tournament, TournamentAdmin)
admin.site.register(Game, GameAdmin)
admin.site.register(Season, SeasonAdmin)
admin.site.register(LeagueClub, LeagueClubAdmin)
admin.site.register(League, LeagueAdmin)
