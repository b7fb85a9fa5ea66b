"""All settings, in one file. What differs between places comes from the environment through `clubrating.env`:

CLUB_DATA             folder of the database, the secret and collected static files (default: var/ beside manage.py)
CLUB_SECRET_KEY       the secret; without it the file CLUB_DATA/secret is read (bin/serve makes it)
CLUB_HTTPS            1 behind TLS: secure cookies, HSTS and the redirect to https
CLUB_ALLOWED_HOSTS    host names the site answers to, comma-separated (default: this machine only)
CLUB_DEBUG            1 only while developing
DATABASE_URL          another database than SQLite, e.g. postgres://user:password@host/name
"""

from pathlib import Path
from urllib.parse import quote

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from clubrating.env import read_flag, read_folder, read_list, read_text

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = read_folder("CLUB_DATA", BASE_DIR / "var")

DEBUG = read_flag("CLUB_DEBUG")
HTTPS = read_flag("CLUB_HTTPS")


def _secret() -> str:
    """The secret, or "" where there is none yet: Django refuses an empty one only where it is used,
    so the file tools run without any environment."""
    secret = read_text("CLUB_SECRET_KEY")
    file = DATA_DIR / "secret"
    if not secret and file.is_file():
        secret = file.read_text(encoding="utf-8").strip()
    if secret and len(secret) < 50:
        raise ImproperlyConfigured("CLUB_SECRET_KEY is shorter than 50 characters: make a longer random one.")
    return secret


SECRET_KEY = _secret()
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *read_list("CLUB_ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in read_list("CLUB_ALLOWED_HOSTS")] if HTTPS else []

INSTALLED_APPS = [
    "players",
    "ratings",
    "tournaments",
    "clubrating",
    "clubrating.admin_app.ClubAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_tables2",
    "crispy_forms",
    "csp",
    "axes",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "clubrating.middleware.PermissionsPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "clubrating.middleware.ClubMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "clubrating.urls"
WSGI_APPLICATION = "clubrating.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "clubrating.context.club",
            ],
            "builtins": ["django.templatetags.i18n", "clubrating.templatetags.club"],
        },
    },
]


# --- the database -------------------------------------------------------------------------------------------
def _database() -> dict[str, object]:
    """SQLite beside the code unless DATABASE_URL names another; a misspelt address is refused with its name."""
    url = read_text("DATABASE_URL") or f"sqlite:///{quote(str(DATA_DIR / 'club.sqlite3'))}"
    try:
        config: dict[str, object] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except (ValueError, dj_database_url.UnknownSchemeError) as error:
        raise ImproperlyConfigured(
            f"DATABASE_URL is no database address ({error}): write sqlite:///path or postgres://…"
        ) from error
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # Writers queue up instead of failing (IMMEDIATE), and readers never wait for them (WAL).
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728; "
            "PRAGMA cache_size=-20000;",
        }
    return config


DATABASES = {"default": _database()}

# --- who may sign in ----------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "admin:login"
# A club sits behind one address: lock the pair of name and address, never the address alone.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_TEMPLATE = "locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # nothing an arbiter should read or mend

# --- background work ----------------------------------------------------------------------------------------
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}

# --- language and time --------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # the club's own zone is a setting of the club, switched on for each request

# --- static files -------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
CRISPY_ALLOWED_TEMPLATE_PACKS = ["club"]
CRISPY_TEMPLATE_PACK = "club"
DJANGO_TABLES2_TEMPLATE = "django_tables2/club.html"

# --- what a browser may do ----------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_FAILURE_VIEW = "clubrating.views.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "plain"},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    # A stray visitor asking for another host name gets his 400; a traceback for each would bury what matters.
    "loggers": {"django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False}},
}
