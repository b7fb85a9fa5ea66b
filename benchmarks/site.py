"""The site's settings while its pages are measured."""

from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.test.utils import override_settings

_NOTHING = "django.core.cache.backends.dummy.DummyCache"
NOTHING_KEPT = {"default": {"BACKEND": _NOTHING}, "pages": {"BACKEND": _NOTHING}}
# Style sheets by their plain names: nobody need have collected them.
_PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pages_made_anew(**more: Any) -> AbstractContextManager[Any]:
    """Every page is made when it is asked for, and no kept one is handed out; `more`: other settings."""
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": _PLAIN}}
    return override_settings(STORAGES=storages, CACHES=settings.CACHES | NOTHING_KEPT, DEBUG=False, **more)
