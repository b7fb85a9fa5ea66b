"""The web process. Unlike the file tools it must not start without a secret."""

import os
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from clubrating.ground.deep_calls import with_room
from clubrating.ops.health.counters import share_counters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubrating.settings")

try:
    # Django reads the secret lazily; the web process asks for it now, not at the first signed cookie.
    _ = settings.SECRET_KEY
except ImproperlyConfigured as error:
    raise SystemExit(
        f"{error} Set CLUB_SECRET_KEY to 50 or more random characters, or start with bin/serve, which makes one."
    ) from error

share_counters(settings.COUNTERS_DIR, settings.COUNTERS_ON_THE_DISK)
application = with_room(get_wsgi_application())
import_module(settings.ROOT_URLCONF)  # every page is loaded before the first visitor comes
