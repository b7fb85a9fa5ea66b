"""The four groups of officers, with what each may do; administrators there are already join theirs."""

from django.apps import apps as project
from django.contrib.auth.management import create_permissions
from django.db import migrations

READS_RATINGS = ["view_ratinglist", "view_playerrating", "view_startingrating", "view_ledgerentry"]
READS_TRAIL = ["view_auditevent", "view_job"]
RATING_OFFICER = [
    *READS_TRAIL,
    *READS_RATINGS,
    "add_ratinglist",
    "change_ratinglist",
    "add_ratinglistrule",
    "change_ratinglistrule",
    "delete_ratinglistrule",
    "view_ratinglistrule",
    "add_ratingtier",
    "change_ratingtier",
    "delete_ratingtier",
    "view_ratingtier",
    "add_startingrating",
    "change_startingrating",
    "delete_startingrating",
    "view_ratingstep",
    "view_publishedlist",
    "view_player",
    "view_tournament",
    "view_game",
    "change_game",
]
ARBITER = [
    *READS_RATINGS,
    "add_player",
    "change_player",
    "view_player",
    "add_tournament",
    "change_tournament",
    "view_tournament",
    "enter_results",
    "change_game",
    "view_game",
]
ASSISTANT = ["enter_results"]
ROLES = {
    "administrator": sorted({*RATING_OFFICER, *ARBITER, *ASSISTANT}),
    "rating-officer": RATING_OFFICER,
    "arbiter": ARBITER,
    "assistant": ASSISTANT,
}
APPS = ("players", "ratings", "tournaments")


def make_groups(apps, schema_editor):
    database = schema_editor.connection.alias
    for label in APPS:
        # Django makes them after the last migration only, and the groups need them now.
        create_permissions(project.get_app_config(label), verbosity=0, using=database)
    groups, permissions = apps.get_model("auth", "Group").objects, apps.get_model("auth", "Permission").objects
    for role, codenames in ROLES.items():
        group, _made = groups.using(database).get_or_create(name=role)
        wanted = permissions.using(database).filter(codename__in=codenames, content_type__app_label__in=APPS)
        group.permissions.set(wanted)
    administrators = apps.get_model("auth", "User").objects.using(database).filter(is_superuser=True)
    groups.using(database).get(name="administrator").user_set.add(*administrators)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_desk"),
        ("ratings", "0004_published_details"),
        ("players", "0003_desk"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
