"""Django's own backend; the user comes with `has_factor`, whether he has a second factor, in the same query."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.models import Passkey


class OfficerBackend(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        app = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        passkey = Passkey.objects.filter(user=OuterRef("pk"))
        user = User.objects.filter(pk=user_id).annotate(has_factor=Exists(app) | Exists(passkey)).first()
        return user if user and self.user_can_authenticate(user) else None
