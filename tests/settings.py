"""Settings of the test run: the club's own, with a throw-away secret, quick password hashes and plain static files."""

import atexit
import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from uuid import uuid4
from zlib import crc32

from clubrating.settings import *  # noqa: F403

SECRET_KEY = "tests only: long enough to pass, worth nothing, never used elsewhere"
ALLOWED_HOSTS = ["*"]
# The zone of the test club (tests/factory.py): what a test does past pages and commands, which switch it on, then has
# the club's day too: between 22 and 24 h UTC it is another one.
TIME_ZONE = "Europe/Berlin"
DATA_DIR = Path(tempfile.mkdtemp(prefix="club-tests-"))
atexit.register(shutil.rmtree, DATA_DIR, ignore_errors=True)
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir()
# The catalogues are compiled again only where their text changed: one folder for every run of this checkout.
LOCALE_PATHS = [Path(tempfile.gettempdir()) / f"club-locale-{os.getuid()}-{crc32(str(BASE_DIR).encode()):08x}"]  # noqa: F405
# On a server every database of a run begins like this, in all its processes. The first of them removes them.
IS_FIRST = "CLUB_TEST_RUN" not in os.environ
RUN = os.environ.setdefault("CLUB_TEST_RUN", f"club_test_{uuid4().hex[:8]}")
if "postgresql" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": RUN}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}
DEFAULT_FROM_EMAIL = "Chess Club <club@example.org>"
FORECASTS = LAB_PICTURES = False  # a test that wants one asks for it
_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
_TRIES = _MEMORY | {"LOCATION": "tries"}  # emptied before each test
CACHES = {
    "default": _MEMORY,
    "tries": _TRIES,
    "readers": _TRIES,
    "pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
}
AXES_ENABLED = False
RATE_LIMITS = False
QUICKEST_FORM = timedelta(0)
