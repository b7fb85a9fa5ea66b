from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models


def keep_what_files_said(apps, schema_editor):
    """Until now only a file could give a game an importance."""
    apps.get_model("tournaments", "Game").objects.exclude(importance=1).update(own_importance=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0011_games_of_an_event"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="importance",
            field=models.FloatField(
                db_default=1.0,
                default=1.0,
                validators=[MinValueValidator(0.01), MaxValueValidator(100)],
                verbose_name="importance",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="own_importance",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunPython(keep_what_files_said, migrations.RunPython.noop),
    ]
