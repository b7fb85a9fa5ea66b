"""`/healthz` and `/readyz`, for process managers and monitoring. Both are public and reveal no secret; what they check
and answer: `clubrating.ops.health.state` and docs/operations.md."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from clubrating.ops.health.state import FAILED, parts, worst


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "ok"})


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """State of every part: 503 where one has failed, else 200; warnings are for the administrator."""
    found = parts()
    status = worst(found)
    values = {part.name: {"status": part.status, **part.figures} for part in found}
    return JsonResponse({"status": status, "parts": values}, status=503 if status == FAILED else 200)
