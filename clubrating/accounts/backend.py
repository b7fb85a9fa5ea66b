"""Django's own backend. The user comes with `has_factor`, whether he has a second factor, in the same query; his rights
of his own and of his roles come in one query too.

Every request of an officer asks both questions. Their SQL is put together once: that takes several times as long as
running it.
"""

from functools import cache
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.db import connection
from django.db.models import Exists, OuterRef
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.models import Passkey


class OfficerBackend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        sql, values = _account_question()
        user = next(iter(User.objects.raw(sql, (*values, user_id))), None)
        return user if user and self.user_can_authenticate(user) else None

    def get_all_permissions(self, user_obj: User | AnonymousUser, obj: Any = None) -> set[str]:
        known = hasattr(user_obj, "_perm_cache")
        if isinstance(user_obj, AnonymousUser) or user_obj.is_superuser or not user_obj.is_active or obj or known:
            return super().get_all_permissions(user_obj, obj)
        with connection.cursor() as cursor:
            cursor.execute(_rights_question(), (user_obj.pk, user_obj.pk))
            user_obj._perm_cache = {f"{app}.{codename}" for app, codename in cursor.fetchall()}  # type: ignore[attr-defined]
        return user_obj._perm_cache  # type: ignore[attr-defined]


@cache
def _account_question() -> tuple[str, tuple[Any, ...]]:
    """The SQL and its values, one value short: the key of the account."""
    by_app = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    by_passkey = Passkey.objects.filter(user=OuterRef("pk"))
    officers = User.objects.order_by().annotate(has_factor=Exists(by_app) | Exists(by_passkey))
    sql, values = officers.query.sql_with_params()
    return f'{sql} WHERE "auth_user"."id" = %s', tuple(values)


@cache
def _rights_question() -> str:
    """The SQL; its values are the key of the account, twice."""
    names = Permission.objects.order_by().values_list("content_type__app_label", "codename")
    return str(names.filter(user=0).union(names.filter(group__user=0)).query.sql_with_params()[0])
