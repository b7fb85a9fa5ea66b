"""What an officer types for a federation's papers: facts of the event, and which federation each player is with."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from tournaments.events.services.own_rows import check_row
from tournaments.interchange.rate_of_play import read_rate
from tournaments.models import Entry, EventPapers, Tournament

# What is no name stands in the trail; of the rest only that it changed.
_SHOWN = ("federation", "time_control")


@dataclass(frozen=True, slots=True)
class NewPapers:
    """What is typed; arbiters as "Doe, Jane (1234567)", deputies a line each."""

    federation: str = ""
    organiser: str = ""
    chief_arbiter: str = ""
    deputies: str = ""
    time_control: str = ""
    appeals: str = ""
    remarks: str = ""


@transaction.atomic
def set_papers(tournament: Tournament, new: NewPapers, *, by: User | None, revision: int | None = None) -> EventPapers:
    """Write the facts down. Raises Stale where somebody else changed them meanwhile (`revision` 0: there were none),
    and Refused for a rate of play or a federation that cannot be read, and for an event without rounds."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if event.open_ended:
        raise Refused(_("An event without rounds has no papers for a federation."))
    papers = EventPapers.objects.filter(tournament=event).first() or EventPapers(tournament=event)
    if revision is not None and revision != papers.revision:
        raise Stale(_("Somebody else changed these facts meanwhile: look at them again, then change them."))
    before = asdict(_of(papers))
    for name, value in asdict(new).items():
        setattr(papers, name, "\n".join(" ".join(line.split()) for line in value.strip().splitlines()))
    papers.federation, papers.time_control = checked_code(new.federation), _checked_rate(new.time_control)
    check_row(papers)
    after = asdict(_of(papers))
    changed = [name for name, value in after.items() if value != before[name]]
    if changed:
        papers.revision += 1
        papers.save()
        write_audit(
            "papers.changed", event, by=by, before=_shown(before, changed), after=_shown(after, changed, changed)
        )
    return papers


@transaction.atomic
def set_federations(tournament: Tournament, codes: Mapping[int, str], *, by: User | None) -> int:
    """Write down which federation the players of those entries are with; how many of them that changed. Raises Refused
    for what is no code, and for an entry of another event; nothing is changed then."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=event)}
    if unknown := set(codes) - set(entries):
        raise Refused(
            _("%(count)s of these players are not in this event any more: load the page again.")
            % {"count": len(unknown)}
        )
    changed = []
    for key, code in codes.items():
        if entries[key].federation != checked_code(code):
            entries[key].federation = checked_code(code)
            changed.append(entries[key])
    if changed:
        Entry.objects.bulk_update(changed, ["federation"])
        write_audit("papers.federations", event, by=by, after={"entries": sorted(entry.pk for entry in changed)})
    return len(changed)


def checked_code(text: str) -> str:
    """A code as it is kept, three capitals or nothing. Raises Refused."""
    code = text.strip().upper()
    if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise Refused(
            _("“%(code)s” is no code of a federation: write three letters, such as GER.") % {"code": text.strip()[:20]}
        )
    return code


def _checked_rate(text: str) -> str:
    try:
        return read_rate(text).typed if text.strip() else ""
    except ValueError as reason:
        raise Refused(said(reason)) from None


def _of(papers: EventPapers) -> NewPapers:
    return NewPapers(**{name: getattr(papers, name) for name in NewPapers.__slots__})


def _shown(values: Mapping[str, str], changed: list[str], fields: list[str] | None = None) -> dict[str, Any]:
    kept = {name: values[name] for name in changed if name in _SHOWN and values[name]}
    return {**kept, "fields": fields} if fields else kept
