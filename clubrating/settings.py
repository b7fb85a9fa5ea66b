"""All settings, in one file. What differs between places comes from the environment through `clubrating.env`:

CLUB_DATA             folder of the database, the secret and collected static files (default: var/ beside manage.py)
CLUB_SECRET_KEY       the secret; without it the file CLUB_DATA/secret is read (bin/serve makes it)
CLUB_HTTPS            1 behind TLS: secure cookies, HSTS and the redirect to https
CLUB_ALLOWED_HOSTS    host names the site answers to, comma-separated (default: this machine only)
CLUB_PROXIES          how many proxies of ours stand before the site (0: none; see docs/accounts.md)
CLUB_MAIL_URL         mail server for password links and notices, e.g. smtp://user:password@host:587 (without it: none)
CLUB_MAIL_FROM        the sender of that mail, e.g. Chess Club <club@example.org>
CLUB_PUSH_KEY         key for notices to browsers, made by manage.py push_key (docs/this-is-me.md; without it: none)
CLUB_PUSH_CONTACT     where push services reach the club, e.g. mailto:club@example.org
CLUB_PASSKEYS         the site's address, e.g. https://club.example.org: passkeys (docs/accounts.md)
CLUB_SECOND_FACTOR    required: no officer gets anywhere without one (docs/accounts.md); optional (default)
CLUB_LOG              json: a JSON object a line, of every request too; plain (default): lines about what went wrong
CLUB_COUNTERS         folder of the counters behind /metrics, best on memory (default: CLUB_DATA/metrics)
CLUB_METRICS_TOKEN    the word with which Prometheus may read /metrics (docs/operations.md)
CLUB_WEBHOOKS_LOCAL   1 only for trials: webhooks may go to this machine and over http (docs/api.md)
CLUB_EMBED_HOSTS      hosts whose pages may show standings, pairings and lists in a frame (docs/embed.md; default: none)
CLUB_RATE_LIMITS      0 only where the site’s speed is measured: no limit on expensive pages and on sign-ins
CLUB_FORECASTS        0: nothing is forecast before a round; half a minute of a worker each (docs/forecasts.md)
CLUB_LAB_PICTURES     0: the lab's charts are not drawn by the site itself; a minute of a worker, once (docs/lab.md)
CLUB_WORK_LEASE       seconds after which a killed worker's work is another's (default: 40; docs/operations.md)
CLUB_OFFSITE          program that carries every backup away, encrypted (docs/backups.md; without it: none is)
CLUB_DEBUG            1 only while developing
DATABASE_URL          another database than SQLite, e.g. postgres://user:password@host/name
CLUB_CACHE_URL        what several web processes remember together: db:// or redis://host:6379/0 (docs/databases.md)
"""

from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from clubrating.env import (
    IN_THE_DATABASE,
    read_cache_address,
    read_choice,
    read_count,
    read_flag,
    read_folder,
    read_hosts,
    read_list,
    read_mail_address,
    read_mail_server,
    read_passkey_site,
    read_program,
    read_push_key,
    read_text,
)

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
HOSTS = read_list("CLUB_ALLOWED_HOSTS")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *HOSTS]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in HOSTS] if HTTPS else []

INSTALLED_APPS = [
    "players",
    "ratings",
    "tournaments",
    "clubrating",
    "clubrating.site.admin_app.ClubAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django_tables2",
    "django_htmx",
    "crispy_forms",
    "csp",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_tasks",
    "django_tasks_db",
]

# From the outermost to the innermost, each with what it does.
MIDDLEWARE = [
    # Around all others: names, counts and logs every request, notes its address, adds our headers to every answer.
    "clubrating.ops.logs.middleware.RequestMiddleware",
    # Sends the content security policy with every answer, files and redirects too.
    "csp.middleware.CSPMiddleware",
    # Redirects http to https, and sends HSTS, nosniff and the referrer policy.
    "django.middleware.security.SecurityMiddleware",
    # Serves static files, before anything is asked of the site.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Compresses every answer, refusals too.
    "django.middleware.gzip.GZipMiddleware",
    # Answers where no page is made and no session is needed: too large, closed, kept or unchanged, too often.
    "clubrating.ops.early_answers.EarlyAnswerMiddleware",
    # Loads and stores the session that officers and members have.
    "django.contrib.sessions.middleware.SessionMiddleware",
    # Activates the language the address names.
    "django.middleware.locale.LocaleMiddleware",
    # Adds a missing slash to an address, and Content-Length to an answer.
    "django.middleware.common.CommonMiddleware",
    # Refuses a form that comes from another site.
    "django.middleware.csrf.CsrfViewMiddleware",
    # Finds the officer of the session; the admin requires it.
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # Finds out whether the officer has passed the second factor.
    "django_otp.middleware.OTPMiddleware",
    # Carries a message from one page to the next; the admin requires it.
    "django.contrib.messages.middleware.MessageMiddleware",
    # Ends officers' sessions after their time, and sets the club, the viewer, the time zone and the audit origin.
    "clubrating.accounts.middleware.VisitorMiddleware",
]
SILENCED_SYSTEM_CHECKS = [
    # Asks for Axes' middleware, which only replaces the answer by the lock page. Our one sign-in view does that itself
    # (tests/clubrating/accounts/test_sign_in.py).
    "axes.W002",
    # Asks for Django's X-Frame-Options middleware. RequestMiddleware sends that header
    # (tests/clubrating/ops/test_headers.py).
    "security.W002",
]

ROOT_URLCONF = "clubrating.urls"
WSGI_APPLICATION = "clubrating.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["clubrating.web.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "clubrating.web.requests.club",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "clubrating.templatetags.club",
                "clubrating.templatetags.sentences",
            ],
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
        # Writers queue up instead of failing (IMMEDIATE), readers never wait for them (WAL), and what was acknowledged
        # is on the disk (FULL: docs/decisions/0014). What is deleted is overwritten: no gap keeps a name.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
            "PRAGMA cache_size=-20000; PRAGMA secure_delete=ON;",
        }
    return config


DATABASES = {"default": _database()}

# --- who may sign in ----------------------------------------------------------------------------------------
OFFICERS = "clubrating.accounts.backend.OfficerBackend"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", OFFICERS]
_RULES = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_RULES}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_RULES}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_RULES}.CommonPasswordValidator"},
    {"NAME": f"{_RULES}.NumericPasswordValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
PASSWORD_RESET_TIMEOUT = 24 * 3600  # a one-time link for a password
SECOND_FACTOR_REQUIRED = read_choice("CLUB_SECOND_FACTOR", ("optional", "required")) == "required"
# The address passkeys are made for, as browsers name it; "" where there are none. What they are checked with is named
# here, so that only a site that has them needs its packages.
PASSKEY_SITE = read_passkey_site("CLUB_PASSKEYS")
PASSKEY_CHECKS, PASSKEY_WRONG = "clubrating.web.webauthn.Checks", "clubrating.web.webauthn.WrongAnswerError"
# Long enough for an evening of the club, and for the longest game.
OFFICER_SESSION_LASTS = timedelta(hours=12)
OFFICER_SESSION_IDLE = timedelta(hours=5)
# A club sits behind one address: lock the pair of name and address, never the address alone. A device on which somebody
# has signed in before counts as an address of its own.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "clubrating.web.devices.guarded_address"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(hours=1)
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who signed in from where is nobody's business; guessing is counted all the same
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # nothing an arbiter should read or mend
# How many of the addresses a request came through are our own proxies'; what stands before them is not trusted.
PROXIES = read_count("CLUB_PROXIES")

# --- mail: password links, notices -------------------------------------------------------------------------------
MAIL = read_mail_server("CLUB_MAIL_URL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL else 'dummy'}.EmailBackend"
EMAIL_TIMEOUT = 20  # seconds
if MAIL:
    EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.host, MAIL.port, MAIL.user, MAIL.password
    EMAIL_USE_SSL, EMAIL_USE_TLS = MAIL.encrypted_at_once, not MAIL.encrypted_at_once
    DEFAULT_FROM_EMAIL = read_mail_address("CLUB_MAIL_FROM")
    if not DEFAULT_FROM_EMAIL:
        raise ImproperlyConfigured(
            "CLUB_MAIL_URL is set without a sender: set CLUB_MAIL_FROM to an address of the club."
        )
    if "*" in HOSTS:
        raise ImproperlyConfigured(
            "CLUB_ALLOWED_HOSTS is * where mail is sent, so a link could lead to anybody’s host: name the site’s own."
        )


# --- notices to browsers: off until the club has a key (docs/this-is-me.md) ------------------------------------
PUSH_KEY, PUSH_CONTACT = read_push_key("CLUB_PUSH_KEY", "CLUB_PUSH_CONTACT")
# Named here, so that whoever writes a fact imports nothing of it, and only a site with a key needs its packages.
NOTICE_TASK = "clubrating.site.notices.services.tell"
ENTRY_LETTER_TASK = "clubrating.site.entry_letters.services.send_entry_letter"
PUSH_SENDER, PUSH_PUBLIC_KEY = "clubrating.site.notices.push.send", "clubrating.site.notices.push.public_key"

# --- webhooks: other programs are told what happens (docs/api.md) ------------------------------------------------
WEBHOOKS_LOCAL = read_flag("CLUB_WEBHOOKS_LOCAL")
# Named here, so that whoever writes a fact imports nothing of it.
WEBHOOK_TASK = "clubrating.site.programs.services.tell_programs"

# --- forms anybody may send --------------------------------------------------------------------------------------
QUICKEST_FORM = timedelta(seconds=3)  # an entry that is sent sooner was filled in by a program


# --- what is kept in memory -----------------------------------------------------------------------------------
_SHARED = read_cache_address("CLUB_CACHE_URL")


def _cache(what: str, most: int, in_the_database: int = 0) -> dict[str, object]:
    """At most so many values, of one process or of all where CLUB_CACHE_URL says so; 0: never in the database. Each
    kind has a cache of its own, so that none evicts another's values."""
    if _SHARED == IN_THE_DATABASE and in_the_database:
        shared = "clubrating.ops.shared_cache.SharedCache"
        return {"BACKEND": shared, "LOCATION": f"club_{what}", "OPTIONS": {"MAX_ENTRIES": in_the_database}}
    if _SHARED and _SHARED != IN_THE_DATABASE:
        redis = "django.core.cache.backends.redis.RedisCache"
        return {"BACKEND": redis, "LOCATION": _SHARED, "KEY_PREFIX": f"club_{what}"}
    memory = "django.core.cache.backends.locmem.LocMemCache"
    return {"BACKEND": memory, "LOCATION": what, "OPTIONS": {"MAX_ENTRIES": most}}


# "default": answers that take long to work out. "tries": counts of rate limits; its table keeps the name it began with.
# "readers": how many expensive pages an address had (clubrating.ops.limits): never in the database, or every reader
# would wait for the writers. "pages": the public's pages as they were made (clubrating.web.page_cache), in each process
# for itself.
CACHES = {
    "default": _cache("cache", 300, 10_000) | {"VERSION": 3},  # raised when a kept value's class moves or changes
    "tries": _cache("doors", 10_000, 10_000),
    "readers": _cache("readers", 10_000),
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": 3600,
        "OPTIONS": {"MAX_ENTRIES": 300},
    },
}

# --- backups ------------------------------------------------------------------------------------------------
# What carries each backup away, encrypted (clubrating.ops.backups.offsite).
OFFSITE_PROGRAM = read_program("CLUB_OFFSITE")

# --- background work ----------------------------------------------------------------------------------------
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}
# For how long a worker holds what it is at; renewed four times meanwhile. So long after a worker was killed, and a beat
# more, another has its work.
WORK_LEASE = timedelta(seconds=read_count("CLUB_WORK_LEASE") or 40)
# Before each round of a running event a worker forecasts it: half a minute of one core.
FORECASTS = read_flag("CLUB_FORECASTS", default=True)
# Once, a worker draws the lab's thirteen charts: half a minute of one core with Numba, some minutes without.
LAB_PICTURES = read_flag("CLUB_LAB_PICTURES", default=True)
# Named here, so that those who ask import nothing of those who answer.
ANSWER_TASK = "clubrating.site.jobs.services.answer_chunk"  # answers a question asked on a page
FOLLOW_UP_TASK = "tournaments.forecasts.services.due.follow_up"  # after a round is made, or its last result came in

# --- language and time --------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# Each by its own name for itself. Catalogues are kept as text and compiled at set-up (`manage.py messages compile`).
LANGUAGES = [("en", "English"), ("ru", "Русский"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")]
LOCALE_PATHS = [DATA_DIR / "locale"]
FORMAT_MODULE_PATH = "clubrating.formats"
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
        **{each: [NONE] for each in ("default-src", "frame-ancestors", "base-uri")},
        **{each: [SELF] for each in ("script-src", "style-src", "img-src", "font-src", "connect-src")},
        **{each: [SELF] for each in ("manifest-src", "worker-src", "form-action")},
    }
}
# Hosts that may show the pages below /embed/ in a frame (clubrating.web.frames).
EMBED_HOSTS = read_hosts("CLUB_EMBED_HOSTS")
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_FAILURE_VIEW = "clubrating.ops.errors.csrf_failure"
# What a form may hold, files aside; how large a whole request may be: clubrating.ops.limits.
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 10
# A file that is sent is never put on the disk on its way: photos of score sheets would leave traces there.
FILE_UPLOAD_MAX_MEMORY_SIZE = 6_000_000
RATE_LIMITS = read_flag("CLUB_RATE_LIMITS", default=True)
if HTTPS:
    SECURE_SSL_REDIRECT = True
    # Who watches each of several web servers asks it past the proxy, and is not sent back to the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)/?$", "^metrics$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# --- logs, without personal data (clubrating.ops.logs.records) -------------------------------------------------
LOG = read_choice("CLUB_LOG", ("plain", "json"))
COUNTERS_ON_THE_DISK = DATA_DIR / "metrics"
COUNTERS_DIR = read_folder("CLUB_COUNTERS", COUNTERS_ON_THE_DISK)
METRICS_TOKEN = read_text("CLUB_METRICS_TOKEN")
if METRICS_TOKEN and len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("CLUB_METRICS_TOKEN is shorter than 20 characters: make a longer random one.")
_NOWHERE = {"handlers": ["nowhere"], "propagate": False}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without people": {"()": "clubrating.ops.logs.records.WithoutPeople"}},
    "formatters": {
        "plain": {"()": "clubrating.ops.logs.records.PlainLines"},
        "json": {"()": "clubrating.ops.logs.records.JsonLines"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG, "filters": ["without people"]},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Without its own handlers, which would mail or print what ours leaves out.
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "club.requests": {"level": "INFO" if LOG == "json" else "WARNING"},
        # A request for another host name gets its 400; a traceback for each would bury what matters.
        "django.security.DisallowedHost": _NOWHERE,
        "axes": _NOWHERE,  # names and addresses; guessing is counted in the database
        "gunicorn.error": {"handlers": ["console"], "propagate": False},
        "waitress.queue": _NOWHERE,  # a line for each request that waits for a thread
    },
}
