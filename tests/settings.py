"""Settings of the test run: the club's own, with a throw-away secret, quick password hashes and plain static files."""

import tempfile
from pathlib import Path

from clubrating.settings import *  # noqa: F403

SECRET_KEY = "tests only: long enough to pass, worth nothing, never used elsewhere"
ALLOWED_HOSTS = ["*"]
DATA_DIR = Path(tempfile.mkdtemp(prefix="club-tests-"))
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir()
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}
AXES_ENABLED = False
