"""Patience with wrong tries, and whose they are."""

import logging

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.db import DatabaseError
from django.test import RequestFactory, override_settings
from hypothesis import given
from hypothesis import strategies as st

from clubrating.web.middleware import note_address
from clubrating.web.rate_limits import READERS, TRIES, RateLimit, address_of


def test_the_door_closes_after_so_many_for_that_one_only_and_opens_again() -> None:
    door = RateLimit("door", 3, 60)
    for _ in range(3):
        assert not door.is_exceeded_by("a")
        door.count("a")
    assert door.is_exceeded_by("a")
    assert not door.is_exceeded_by("b")
    assert not RateLimit("another", 3, 60).is_exceeded_by("a")
    caches[TRIES].delete("door:a")  # as if its time had passed
    assert not door.is_exceeded_by("a")


def test_beyond_the_limit_a_door_with_a_pace_takes_one_try_at_a_time() -> None:
    door = RateLimit("door", 2, 60, pace=5)
    for _ in range(2):
        assert not door.is_exceeded_by("a")
        door.count("a")
    assert door.is_exceeded_by("a"), "the pace counts from the last try"
    caches[TRIES].delete("door:a:pace")
    assert [door.is_exceeded_by("a") for _ in range(2)] == [False, True]


@pytest.mark.parametrize("kept_in", [TRIES, READERS])
def test_it_counts_where_it_is_told_to(kept_in: str) -> None:
    apart = {name: {**_LOCMEM, "LOCATION": f"apart-{name}"} for name in ("default", TRIES, READERS)}
    with override_settings(CACHES=apart):
        door = RateLimit("door", 1, 60, kept_in)
        door.count("a")
        assert [name for name in apart if "door:a" in caches[name]] == [kept_in]
        assert door.is_exceeded_by("a")
        caches[kept_in].clear()


def test_a_door_is_opened_though_the_database_counts_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuses(*_args: object, **_kwargs: object) -> None:
        raise DatabaseError("database is locked")

    monkeypatch.setattr(LocMemCache, "incr", refuses)
    door = RateLimit("door", 1, 60)
    with caplog.at_level(logging.WARNING, "clubrating.web.rate_limits"):
        door.count("192.0.2.7")
    assert not door.is_exceeded_by("192.0.2.7")
    assert "“door” stays uncounted" in caplog.text
    assert "192.0.2.7" not in caplog.text


_LOCMEM = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


def seen_address(header: str | None, proxies: int, own: str = "127.0.0.1") -> str:
    request = RequestFactory().get("/", headers={"X-Forwarded-For": header} if header is not None else {})
    request.META["REMOTE_ADDR"] = own
    with override_settings(PROXIES=proxies):
        note_address(request)
    return address_of(request)


@pytest.mark.parametrize(
    ("header", "proxies", "address"),
    [
        ("192.0.2.7", 0, "127.0.0.1"),
        ("192.0.2.7", 1, "192.0.2.7"),
        ("198.51.100.1, 192.0.2.7", 1, "192.0.2.7"),
        ("198.51.100.1, 192.0.2.7, 10.0.0.2", 2, "192.0.2.7"),
        ("2001:db8::1", 1, "2001:db8::"),
        (None, 1, "127.0.0.1"),
        ("192.0.2.7", 2, "127.0.0.1"),
        ("nonsense", 1, "127.0.0.1"),
    ],
)
def test_the_address_is_what_our_own_proxies_saw(header: str | None, proxies: int, address: str) -> None:
    assert seen_address(header, proxies) == address


@pytest.mark.parametrize(
    ("own", "address"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("", ""),
    ],
)
def test_all_addresses_of_a_network_count_as_one(own: str, address: str) -> None:
    """Who has an IPv6 network has more addresses than anybody can close one by one."""
    assert seen_address(None, 0, own) == address


@given(forged=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_whatever_a_visitor_writes_himself_his_address_stays(forged: str) -> None:
    assert seen_address(f"{forged}, 192.0.2.7", 1) == "192.0.2.7"
