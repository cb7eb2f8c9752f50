"""An issuer's public keys, by the algorithm that each is for."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from jwt import PyJWK
from jwt.exceptions import PyJWTError

_MAX_KEYS: Final = 100
_CURVES: Final = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "EdDSA": "Ed25519"}
_KINDS: Final = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


class SigningKeys:
    """The keys that tokens may be signed with. A key serves the algorithms of its own kind alone."""

    def __init__(self, document: Mapping[str, Any], algorithms: Iterable[str]) -> None:
        given = document.get("keys")
        listed = [key for key in given if isinstance(key, dict)] if isinstance(given, list) else []
        self._by_algorithm = {algorithm: tuple(_usable_keys(listed[:_MAX_KEYS], algorithm)) for algorithm in algorithms}
        self.fingerprint = frozenset(repr(sorted(key.items(), key=str)) for key in listed)
        """Differs if any key does."""

    def __bool__(self) -> bool:
        return any(self._by_algorithm.values())

    def find(self, algorithm: str, key_id: str | None) -> tuple[PyJWK, ...]:
        """Return the key with this id; without an id, all keys of the algorithm."""
        keys = self._by_algorithm.get(algorithm, ())
        return keys if key_id is None else tuple(key for key in keys if key.key_id == key_id)


def _usable_keys(listed: list[dict[str, Any]], algorithm: str) -> Iterable[PyJWK]:
    for key in listed:
        if _is_for(key, algorithm):
            try:
                yield PyJWK(key, algorithm)
            except PyJWTError:
                continue  # A key that cannot be read signs nothing that could be accepted.


def _is_for(key: Mapping[str, Any], algorithm: str) -> bool:
    operations = key.get("key_ops")
    return (
        key.get("kty") == _KINDS[algorithm[:2]]
        and key.get("crv") == _CURVES.get(algorithm)
        and key.get("alg") in (None, algorithm)
        and key.get("use") in (None, "sig")
        and (operations is None or (isinstance(operations, list) and "verify" in operations))
        # A private key that was published is everybody's.
        and "d" not in key
    )
