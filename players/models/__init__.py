"""Tables of the bottom app: the club and its people, readers without an account, the audit trail, work in the
background, and what programs may do."""

from players.models.jobs import Job, JobChunk
from players.models.people import Club, Counter, Erasure, Guardian, Player, PlayerIdentity, Visibility
from players.models.programs import ApiAnswer, ApiToken, LinkPasskey, Passkey, Webhook, WebhookDelivery
from players.models.readers import (
    DueNotice,
    LinkDevice,
    MailSubscription,
    PageReport,
    PersonalLink,
    SecretLink,
    Subscription,
    Wanted,
)
from players.models.trail import AuditEvent, Trail

__all__ = [
    "ApiAnswer",
    "ApiToken",
    "AuditEvent",
    "Club",
    "Counter",
    "DueNotice",
    "Erasure",
    "Guardian",
    "Job",
    "JobChunk",
    "LinkDevice",
    "LinkPasskey",
    "MailSubscription",
    "PageReport",
    "Passkey",
    "PersonalLink",
    "Player",
    "PlayerIdentity",
    "SecretLink",
    "Subscription",
    "Trail",
    "Visibility",
    "Wanted",
    "Webhook",
    "WebhookDelivery",
]
