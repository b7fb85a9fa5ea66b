"""The second factor: on with its first code, proved by app or recovery code, throttled, reset by somebody else."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from players.models import AuditEvent, Passkey
from players.officers.services.credentials import (
    RECOVERY_CODES,
    begin_factor,
    codes_left,
    confirm_factor,
    has_app,
    has_factor,
    renew_codes,
    reset_factor,
    turn_factor_off,
    verify_code,
    waiting_factor,
)
from players.officers.services.passkeys import add_passkey, passkeys_of, remove_passkey, use_passkey
from players.passkeys.services import MOST
from players.refusals import Refused
from tests import factory
from tests.clubrating.accounts.account_cases import code_now, factor_of, turn_factor_on, wrong_code

pytestmark = pytest.mark.django_db


def wait_over(user: User) -> None:
    """As if a long time had passed since the last wrong code."""
    for device in (TOTPDevice.objects.filter(user=user), user.staticdevice_set.all()):
        device.update(throttling_failure_timestamp=timezone.now() - timezone.timedelta(days=30))


def test_it_is_on_only_after_the_first_right_code(arbiter: User) -> None:
    device = begin_factor(arbiter)
    assert not has_factor(arbiter)
    with pytest.raises(Refused, match="not the right code"):
        confirm_factor(arbiter, f"{(int(code_now(device)) + 1) % 10**6:06d}")
    assert not has_factor(arbiter)
    wait_over(arbiter)
    _, codes = confirm_factor(arbiter, code_now(device))
    assert has_factor(arbiter)
    assert len(set(codes)) == RECOVERY_CODES == codes_left(arbiter)


def test_beginning_again_forgets_the_first_key(arbiter: User) -> None:
    first = begin_factor(arbiter)
    second = begin_factor(arbiter)
    assert waiting_factor(arbiter) == second
    assert first.key != second.key
    turned = turn_factor_on(arbiter)
    assert turned
    with pytest.raises(Refused, match="on already"):
        begin_factor(arbiter)


def test_nothing_begun_cannot_be_confirmed(arbiter: User) -> None:
    other = begin_factor(factory.make_assistant())
    with pytest.raises(Refused, match="begin again"):
        confirm_factor(arbiter, code_now(other))
    turn_factor_on(arbiter)
    with pytest.raises(Refused, match="begin again"):
        confirm_factor(arbiter, code_now(factor_of(arbiter)))


def test_a_code_works_once(arbiter: User) -> None:
    turn_factor_on(arbiter)
    code = code_now(factor_of(arbiter))
    assert verify_code(arbiter, f" {code[:3]} {code[3:]} ") == factor_of(arbiter)
    with pytest.raises(Refused):
        verify_code(arbiter, code)


def test_a_recovery_code_works_once_in_any_writing(arbiter: User) -> None:
    codes = turn_factor_on(arbiter)
    assert verify_code(arbiter, codes[0].upper().replace("-", " ")) == factor_of(arbiter)
    assert codes_left(arbiter) == RECOVERY_CODES - 1
    with pytest.raises(Refused):
        verify_code(arbiter, codes[0])
    wait_over(arbiter)
    verify_code(arbiter, codes[1])


def test_recovery_codes_are_kept_as_seals_only(arbiter: User) -> None:
    codes = turn_factor_on(arbiter)
    kept = set(StaticToken.objects.values_list("token", flat=True))
    assert kept.isdisjoint({code.replace("-", "") for code in codes})
    with pytest.raises(Refused):
        verify_code(arbiter, kept.pop())


def test_somebody_elses_codes_prove_nothing(arbiter: User) -> None:
    other = factory.make_assistant()
    turn_factor_on(arbiter)
    codes = turn_factor_on(other)
    for user, code in ((arbiter, codes[0]), (other, code_now(factor_of(arbiter)))):
        with pytest.raises(Refused):
            verify_code(user, code)
    wait_over(other)
    assert verify_code(other, codes[0]) == verify_code(other, code_now(factor_of(other))) == factor_of(other)


def test_after_wrong_codes_one_waits_longer_and_longer_even_with_the_right_one(arbiter: User) -> None:
    turn_factor_on(arbiter)
    for _ in range(8):
        wait_over(arbiter)
        with pytest.raises(Refused, match="not the right code"):
            verify_code(arbiter, wrong_code(arbiter))
    assert factor_of(arbiter).throttling_failure_count == 8
    with pytest.raises(Refused, match="in 3 minutes"):
        verify_code(arbiter, code_now(factor_of(arbiter)))
    wait_over(arbiter)
    verify_code(arbiter, code_now(factor_of(arbiter)))
    assert factor_of(arbiter).throttling_failure_count == 0


def test_after_one_wrong_code_the_sentence_tells_the_seconds(arbiter: User) -> None:
    turn_factor_on(arbiter)
    for match in ("not the right code", "possible in 1 second"):
        with pytest.raises(Refused, match=match):
            verify_code(arbiter, "000000" if wrong_code(arbiter) != "000000" else "000001")


@pytest.mark.parametrize("odd", ["", "x", "-1", "1e5", "１２３４５６", "9" * 40, "\x00" * 8, "' or 1=1", "½½½½½½½½"])
def test_no_odd_text_is_a_code(arbiter: User, odd: str) -> None:
    turn_factor_on(arbiter)
    with pytest.raises(Refused):
        verify_code(arbiter, odd)


def test_without_a_factor_no_code_is_right(arbiter: User) -> None:
    begun = begin_factor(arbiter)
    for code in (code_now(begun), "123456", "abcde-fghij"):
        with pytest.raises(Refused):
            verify_code(arbiter, code)
    with pytest.raises(Refused, match="turn it on first"):
        renew_codes(arbiter)


def test_new_recovery_codes_end_the_old_ones_and_leave_the_app(arbiter: User) -> None:
    old = turn_factor_on(arbiter)
    new = renew_codes(arbiter)
    assert not set(old) & set(new)
    with pytest.raises(Refused):
        verify_code(arbiter, old[0])
    wait_over(arbiter)
    verify_code(arbiter, new[0])
    verify_code(arbiter, code_now(factor_of(arbiter)))


def test_turning_it_off_forgets_keys_and_codes(arbiter: User) -> None:
    turn_factor_on(arbiter)
    turn_factor_off(arbiter)
    assert not has_factor(arbiter)
    assert codes_left(arbiter) == 0
    assert not TOTPDevice.objects.exists()


def test_an_administrator_resets_somebody_elses_and_never_his_own(arbiter: User) -> None:
    boss = factory.make_administrator()
    turn_factor_on(arbiter)
    turn_factor_on(boss)
    for user in (boss, arbiter):
        add_passkey(user, "key", handle=user.username.encode(), credential=b"public half", counter=0)
    assert (has_app(arbiter), codes_left(arbiter)) == (True, RECOVERY_CODES)
    reset_factor(arbiter, by=boss)
    assert (has_factor(arbiter), codes_left(arbiter)) == (False, 0)
    with pytest.raises(Refused, match="My account"):
        reset_factor(boss, by=boss)
    assert (has_app(boss), codes_left(boss), Passkey.objects.get().user) == (True, RECOVERY_CODES, boss)


def test_a_passkey_belongs_to_one_officer(arbiter: User) -> None:
    other, credential = factory.make_assistant(), b"public half"
    for number in range(MOST):
        theirs, _codes = add_passkey(other, "theirs", handle=b"1%d" % number, credential=credential, counter=0)
    assert not has_factor(arbiter)
    first, codes = add_passkey(arbiter, "first", handle=b"2", credential=credential, counter=0)
    second, _none = add_passkey(arbiter, "second", handle=b"3", credential=credential, counter=0)
    assert (passkeys_of(arbiter), len(codes)) == ([first, second], RECOVERY_CODES)
    assert verify_code(arbiter, codes[0]) == first
    with pytest.raises(Refused, match="does not belong"):
        use_passkey(arbiter, handle=b"10", counter=1)
    assert use_passkey(arbiter, handle=b"3", counter=1) == second
    with pytest.raises(Refused, match="may have been copied"):
        use_passkey(arbiter, handle=b"3", counter=0)
    assert use_passkey(arbiter, handle=b"2", counter=0) == first, "one that keeps no count always tells 0"
    assert not remove_passkey(arbiter, theirs.pk)
    assert remove_passkey(arbiter, second.pk)
    assert (passkeys_of(arbiter), len(passkeys_of(other))) == ([first], MOST)


def test_each_step_is_told_without_secrets(arbiter: User) -> None:
    boss = factory.make_administrator()
    codes = turn_factor_on(arbiter)
    key = factor_of(arbiter).key
    renew_codes(arbiter)
    turn_factor_off(arbiter)
    turn_factor_on(arbiter)
    reset_factor(arbiter, by=boss)
    events = AuditEvent.objects.filter(subject_kind="user", subject_key=arbiter.pk).order_by("pk")
    on, codes_made, off, reset = "second-factor.on", "second-factor.codes", "second-factor.off", "second-factor.reset"
    assert [event.action for event in events] == [on, codes_made, off, on, reset]
    assert [event.actor for event in events] == [arbiter] * 4 + [boss]
    text = str(list(events.values()))
    assert key not in text
    assert not any(code in text for code in codes)
