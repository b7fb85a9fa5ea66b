"""A security key of the tests' own. Import it after `pytest.importorskip("fido2")`."""

import json
import os
import re
from html import unescape
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

SITE = "https://club.test"
TOUCHED, VERIFIED = 0x01, 0x05


class Key:
    """A security key of the test's own, and the browser it is plugged into."""

    def __init__(self) -> None:
        self.secret, self.handle, self.counter = ec.generate_private_key(ec.SECP256R1()), os.urandom(16), 0
        public = ES256.from_cryptography_key(self.secret.public_key())
        self.data = AttestedCredentialData.create(Aaguid.NONE, self.handle, public)

    def make(self, options: dict[str, Any], origin: str = SITE, told_by: int = TOUCHED) -> dict[str, Any]:
        told = AuthenticatorData.create(sha256(options["rp"]["id"].encode()), 0x40 | told_by, self.counter, self.data)
        attested = AttestationObject.create("none", told, {})
        return self._answer(options, CollectedClientData.TYPE.CREATE, origin, {"attestationObject": attested})[0]

    def prove(self, options: dict[str, Any], origin: str = SITE, told_by: int = TOUCHED) -> dict[str, Any]:
        self.counter += 1
        told = AuthenticatorData.create(sha256(options["rpId"].encode()), told_by, self.counter)
        answer, client = self._answer(options, CollectedClientData.TYPE.GET, origin, {"authenticatorData": told})
        signed = self.secret.sign(told + client.hash, ec.ECDSA(hashes.SHA256()))
        answer["response"]["signature"] = websafe_encode(signed)
        return answer

    def _answer(
        self, options: dict[str, Any], kind: str, origin: str, parts: dict[str, bytes]
    ) -> tuple[dict[str, Any], CollectedClientData]:
        client = CollectedClientData.create(kind, websafe_decode(options["challenge"]), origin)
        told = {name: websafe_encode(part) for name, part in {**parts, "clientDataJSON": client}.items()}
        name = websafe_encode(self.handle)
        return {"id": name, "rawId": name, "type": "public-key", "response": told}, client


def asked_on(text: str) -> dict[str, Any]:
    """What the page has the browser ask."""
    found = re.search(r'data-options="([^"]*)"', text)
    assert found, text
    options: dict[str, Any] = json.loads(unescape(found[1]))
    return options
