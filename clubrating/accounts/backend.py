"""Django's own backend; the user comes with `has_factor`, whether he has a second factor, in the same query."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.models import Passkey

_APP = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
_PASSKEY = Passkey.objects.filter(user=OuterRef("pk"))
# Put together once: every request of an officer asks for one of them.
OFFICERS = User.objects.annotate(has_factor=Exists(_APP) | Exists(_PASSKEY))


class OfficerBackend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        user = OFFICERS.filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
