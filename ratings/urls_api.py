"""The same nouns as the pages, as JSON."""

from django.urls import path

from ratings.views import api

app_name = "api"
urlpatterns = [
    path("<slug:slug>/", api.ranks, name="ranks"),
    path("<slug:slug>/rank/<int:number>/", api.rank, name="rank"),
]
