"""The first run of an empty site: its key, and setting up club, administrator and first list in one transaction.

A stranger who opens an empty site must not become its administrator: the set-up page asks for a key that `manage.py
welcome_link` prints on the server. The key follows from the site's secret, so it is stored nowhere.
"""

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from players.club.services import found_club
from players.officers.roles import ADMINISTRATOR, ROLES, group_of
from players.people.names import slug_part
from players.people.services import usable_name
from players.refusals import Refused
from ratings.lists.services import ensure_main_list
from ratings.models import RESERVED_SLUGS
from tournaments.rated_games.services.rebuilding import rebuild_list

MAX_LIST_NAME = 60  # as wide as the table's column
_KEY_LENGTH = 16


def setup_key() -> str:
    """The key of the set-up page: 16 hexadecimal digits, the same as long as the site's secret is."""
    return salted_hmac("club setup", "first run").hexdigest()[:_KEY_LENGTH]


def is_setup_key(text: str) -> bool:
    """Whether that is the key; takes the same time for every wrong one."""
    return constant_time_compare(text, setup_key())


def set_up_club(*, name: str, time_zone: str, username: str, password: str, list_name: str) -> User:
    """Make the club, its administrator, the arbiters' group and the main list; returns the administrator.

    The list's address and pool are its name in Latin letters: "Standard" → "standard". Raises Refused for anything
    that cannot be used, and then nothing was made.
    """
    listed = usable_name(
        list_name,
        most=MAX_LIST_NAME,
        if_empty=_("The first rating list needs a name."),
        if_long=_("The rating list’s name is longer than %(most)s characters: shorten it."),
    )
    slug = slug_part(listed)[:30].strip("-")
    if not slug or slug in RESERVED_SLUGS:
        raise Refused(_("“%(name)s” cannot be a list’s address: choose another name.") % {"name": listed})
    user = _checked_user(username.strip(), password)
    try:
        with transaction.atomic():
            found_club(name=name, time_zone=time_zone.strip())
            administrator = User.objects.create_superuser(user.get_username(), password=password)
            groups = {role: group_of(role) for role in ROLES}
            administrator.groups.add(groups[ADMINISTRATOR])
            rating_list = ensure_main_list(name=listed, pool=slug, by=administrator)
            rebuild_list(rating_list)  # games may have been loaded before the set-up
    except IntegrityError:
        # Another set-up finished at the same moment.
        raise Refused(_("The club is set up already: change it in the administration.")) from None
    return administrator


def _checked_user(username: str, password: str) -> User:
    """The administrator to be, not saved. Raises Refused with everything that is wrong."""
    if User.objects.filter(username__iexact=username).exists():
        raise Refused(_("There is a user “%(name)s” already: choose another user name.") % {"name": username})
    user = User(username=username)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise Refused(_("User name: %(reasons)s") % {"reasons": " ".join(error.messages)}) from None
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    return user
