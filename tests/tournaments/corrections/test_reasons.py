"""A form offers the reasons that fit what it is about; every reason that is one of ours fits somewhere."""

import pytest
from django import forms

from players.models import AuditEvent
from players.trail.services import PAIRING_REASONS, RESULT_REASONS, RULING_REASONS
from ratings.models import RatingList
from tests import factory
from tournaments.corrections.admin.preview import ReasonForm
from tournaments.knockouts.admin.match import RedrawForm, RulingForm
from tournaments.rounds.admin.taking_back import PairingReasonForm
from tournaments.rounds.services.rounds import unpublish_round

Reason = AuditEvent.Reason


def offered(form: forms.Form) -> list[str]:
    return [code for code, _words in form.fields["reason"].choices]  # type: ignore[attr-defined]


def test_every_form_offers_its_reasons_and_every_reason_has_its_place() -> None:
    assert offered(ReasonForm()) == ["", *RESULT_REASONS]
    assert Reason.PAIRED_WRONGLY not in RESULT_REASONS
    for form in (RedrawForm(), PairingReasonForm(needed=True), PairingReasonForm(needed=False)):
        assert offered(form) == ["", *PAIRING_REASONS]
    ours = {Reason.NONE, Reason.WISH, Reason.UNDONE}  # a person's wish, and what the services say themselves
    assert {*RESULT_REASONS, *PAIRING_REASONS, *RULING_REASONS} | ours == set(Reason)


def test_a_match_is_ruled_on_for_who_did_not_play(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(4))
    form = RulingForm(None, factory.match_of(cup, 1, 1))
    assert offered(form) == ["", *RULING_REASONS]
    assert form.initial["reason"] in RULING_REASONS


@pytest.mark.parametrize("form", [ReasonForm, RedrawForm])
def test_a_reason_of_another_form_is_none_here(form: type[ReasonForm]) -> None:
    foreign = next(reason for reason in (*RESULT_REASONS, *PAIRING_REASONS) if reason not in form.reasons)
    assert "reason" in form({"reason": foreign}).errors
    assert "reason" not in form({"reason": form.reasons[0]}).errors


def test_a_service_takes_any_reason_of_ours_and_no_other(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    unpublish_round(factory.round_of(cup, 3).pk, reason=Reason.APPEAL, by=None)
    with pytest.raises(ValueError, match="needs a reason"):
        unpublish_round(factory.round_of(cup, 2).pk, reason="because", by=None)
