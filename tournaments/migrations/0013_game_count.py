from django.db import migrations, models
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

UNDECIDED = ("", "adj")


def count_games(apps, schema_editor):
    """Of events without rounds, which nothing but this column counts."""
    games = apps.get_model("tournaments", "Game").objects.filter(tournament=OuterRef("pk"))
    counts = games.exclude(result__in=UNDECIDED).order_by().values("tournament").annotate(count=Count("pk"))
    events = apps.get_model("tournaments", "Tournament").objects.filter(open_ended=True)
    events.update(game_count=Coalesce(Subquery(counts.values("count")), 0))


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_importance"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="game_count",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunPython(count_games, migrations.RunPython.noop),
    ]
