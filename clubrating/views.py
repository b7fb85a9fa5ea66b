"""Pages no single app owns: probes, errors, the way in for members, the first run."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language

from clubrating.glossary import chapters


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> HttpResponse:
    """Ready for visitors: the database answers and knows all migrations."""
    try:
        executor = MigrationExecutor(connection)
        pending = bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "migrations are missing" if pending else "ok"}, status=503 if pending else 200)


def glossary(request: HttpRequest) -> HttpResponse:
    """The field's words in the page's language, beside them the English ones."""
    context = {"chapters": list(chapters()), "shows_english": get_language() != settings.LANGUAGE_CODE}
    return render(request, "glossary.html", context)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came too late or from elsewhere: say what to do, change nothing."""
    return render(request, "403_csrf.html", status=403)
