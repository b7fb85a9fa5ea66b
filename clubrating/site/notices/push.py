"""Web push: a message encrypted for one browser (RFC 8291, by http-ece), signed as the club's (RFC 8292, by py-vapid),
and sent to the browser's push service. Needs requirements-push.txt; the settings name it, so nothing else imports it.
"""

import base64
import os
from functools import cache
from http import HTTPStatus
from http.client import HTTPException, HTTPSConnection
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

_TTL = 12 * 3600  # seconds a push service keeps what it cannot deliver
_TIMEOUT = 15


def send(endpoint: str, p256dh: str, auth: str, message: bytes, topic: str, *, key: str, contact: str) -> int:
    """Send it; the push service's status, 0 where it could not be reached, and that of a browser that is gone where the
    key is made up. `topic`: a later message with the same one takes the place of one still undelivered. The address was
    checked when it was subscribed."""
    parts = urlsplit(endpoint)
    try:
        body = http_ece.encrypt(
            message,
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(p256dh),
            auth_secret=_bytes(auth),
            version="aes128gcm",
        )
    except ValueError:  # no point of the curve
        return HTTPStatus.GONE
    signed = Vapid02.from_string(key).sign({"sub": contact, "aud": f"{parts.scheme}://{parts.netloc}"})
    headers = {**signed, "Content-Encoding": "aes128gcm", "TTL": str(_TTL), "Topic": topic, "Urgency": "normal"}
    connection = connect(parts.hostname or "")
    try:
        connection.request("POST", f"{parts.path}?{parts.query}" if parts.query else parts.path, body, headers)
        return connection.getresponse().status  # a redirect is not followed
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


def connect(host: str) -> HTTPSConnection:
    return HTTPSConnection(host, timeout=_TIMEOUT)


@cache
def public_key(key: str) -> str:
    """The public half of the club's key, as browsers want it."""
    form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    return _text(Vapid02.from_string(key).public_key.public_bytes(*form))


def new_key() -> str:
    """A private key for CLUB_PUSH_KEY."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")
