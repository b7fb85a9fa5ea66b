"""The two ceremonies of passkeys (W3C Web Authentication), by Yubico's fido2. Needs requirements-passkeys.txt; the
settings name it (PASSKEY_CHECKS), so nothing else imports it.

Beside a password nothing is asked of a key but that somebody touched it. Alone it has to know its owner (by a PIN, a
finger, a face) and to list its accounts, so that nobody types a name. An attestation of its maker is never wanted.
"""

import struct
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

# What the library raises for answers that are none.
_NOT_AS_EXPECTED = (ValueError, TypeError, LookupError, AttributeError, AssertionError, ArithmeticError, RuntimeError)
BROKEN = (*_NOT_AS_EXPECTED, struct.error, UnsupportedAlgorithm)
ALGORITHM = 3  # of a public key (RFC 9052, 7.1)
State = dict[str, Any]


class WrongAnswerError(Exception):
    """The browser's answer does not belong to this question, this site or one of these keys."""


@dataclass(frozen=True, slots=True)
class Answered:
    """`credential`: id, public key and model (attested credential data); `counter` as the key told it."""

    credential: bytes
    counter: int

    @property
    def handle(self) -> bytes:
        """The credential's id."""
        return bytes(AttestedCredentialData(self.credential).credential_id)


class Checks:
    """For one site: `origin` as browsers name it, its host the passkeys' domain; `name` as devices show it; `alone`: no
    password is asked for beside the passkey."""

    def __init__(self, origin: str, name: str, *, alone: bool = False) -> None:
        self.owner = UserVerificationRequirement.REQUIRED if alone else UserVerificationRequirement.DISCOURAGED
        self.listed = ResidentKeyRequirement.REQUIRED if alone else ResidentKeyRequirement.DISCOURAGED
        party = PublicKeyCredentialRpEntity(id=urlsplit(origin).hostname, name=name)
        self.server = Fido2Server(party, verify_origin=lambda told: told == origin)

    def ask_new(self, key: str, name: str, known: list[bytes]) -> tuple[dict[str, Any], State]:
        """What the browser is asked to make a passkey for that account, and what is kept until it answers."""
        user = PublicKeyCredentialUserEntity(id=key.encode(), name=name, display_name=name)
        options, state = self.server.register_begin(
            user,
            [AttestedCredentialData(each) for each in known],
            resident_key_requirement=self.listed,
            user_verification=self.owner,
        )
        return dict(options)["publicKey"], state

    def read_new(self, state: State, answer: dict[str, Any]) -> Answered:
        """The passkey that was made. Raises WrongAnswerError."""
        try:
            told = self.server.register_complete(state, answer)
            made = AttestedCredentialData(told.credential_data or b"")
            if made.public_key[ALGORITHM] not in {each.alg for each in self.server.allowed_algorithms}:
                raise WrongAnswerError("a kind of key that was not asked for")  # it could never be proved
            return Answered(bytes(made), told.counter)
        except BROKEN as error:
            raise WrongAnswerError(str(error)) from None

    def ask(self, known: list[bytes]) -> tuple[dict[str, Any], State]:
        """What the browser is asked to prove one of these passkeys, and what is kept until it answers. Without any it
        offers those it lists for this site."""
        options, state = self.server.authenticate_begin(
            [AttestedCredentialData(each) for each in known], user_verification=self.owner
        )
        return dict(options)["publicKey"], state

    def read(self, state: State, known: list[bytes], answer: dict[str, Any]) -> Answered:
        """The passkey that was proved. Raises WrongAnswerError."""
        try:
            found = self.server.authenticate_complete(state, [AttestedCredentialData(each) for each in known], answer)
            told = AuthenticationResponse.from_dict(answer).response.authenticator_data
            return Answered(bytes(found), told.counter)
        except BROKEN as error:
            raise WrongAnswerError(str(error)) from None
