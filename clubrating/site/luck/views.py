"""`/players/<slug>/luck/`: what the change of a player's rating in a season is made of (`?list=`, `?season=`).

A change tells K, and K may tell an age: without the name there is no such page, as with every change. Everything shown
is the answer to a question about the whole list, worked out in the background; POST asks it. Until the list as it
stands is answered, the last answer there was is shown with its day.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from clubrating.site.luck.selectors import LUCK, SeasonLuck, is_split, luck_question, seasons_in
from clubrating.site.luck.words import improving_words, luck_words, proof_of, shown, standing_words
from clubrating.site.player_pages.views.player import person_at
from clubrating.web.questions import ask_from, asked, keep_looking
from clubrating.web.requests import ClubRequest, with_query
from players.jobs.services import answer_of, last_answered
from players.models import Player
from players.privacy.rules import sees_name
from ratings.lab.luck import FEWEST_GAMES
from ratings.lab_pages.charts import result_document
from ratings.lists.selectors.lists import standings_of
from ratings.models import PlayerRating


def luck(request: ClubRequest, slug: str) -> HttpResponse:
    """The page of one list's season; the main list's latest one where none is named."""
    found = person_at(slug, request.viewer)
    if not sees_name(found, request.viewer):
        raise Http404
    if found.slug != slug:
        return redirect(with_query(request, reverse("players:luck", args=[found.slug])))
    standings = standings_of(found)
    row = _chosen(request, standings)
    context: dict[str, object] = {"player": found, "standings": standings, "row": row, "fewest": FEWEST_GAMES}
    if row is None or not is_split(row.rating_list):
        return render(request, "ratings/luck.html", context)
    address = f"{reverse('players:luck', args=[found.slug])}?{urlencode({'list': row.rating_list.slug})}"
    question = luck_question(row.rating_list)
    if request.method == "POST":
        return ask_from(request, question, address)
    how = asked(question)
    job = how.job if how.answer is not None else last_answered(LUCK, row.rating_list_id)
    answer = how.answer if how.answer is not None else answer_of(job)
    context |= {"splits": True, "asked": how, "ask_to": address, "answer": answer}
    if job is not None and answer is not None:
        context |= {"made_at": job.finished_at, "is_present": how.answer is not None}
        context |= _season(request, found, answer)
    return keep_looking(render(request, "ratings/luck.html", context), how)


def _chosen(request: ClubRequest, standings: Sequence[PlayerRating]) -> PlayerRating | None:
    """The row of the list the address names, else the first. Raises Http404 for a list he is not in."""
    wanted = request.GET.get("list")
    if wanted is None:
        return standings[0] if standings else None
    row = next((row for row in standings if row.rating_list.slug == wanted), None)
    if row is None:
        raise Http404
    return row


def _season(request: ClubRequest, player: Player, answer: Mapping[str, Any]) -> dict[str, object]:
    """What is shown of the season the address names, else of the latest one with games enough. Raises Http404 for one
    there is not."""
    seasons = seasons_in(answer, player.pk)
    wanted = request.GET.get("season")
    if wanted is None:
        season = next((each for each in seasons if each.is_enough), seasons[0] if seasons else None)
    elif (season := next((each for each in seasons if each.name == wanted), None)) is None:
        raise Http404
    context: dict[str, object] = {"seasons": seasons, "season": season}
    return context | _told(season) if season is not None and season.is_enough else context


def _told(season: SeasonLuck) -> dict[str, object]:
    """The season in words, and how well such intervals held in the lab."""
    return {
        "shown": shown(season),
        "improving": improving_words(season),
        "said": (luck_words(season), standing_words(season)),
        "due": season.parts["due"].mean,
        "proof": proof_of(result_document("luck")),
    }
