import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_forecasts"),
    ]

    # The new index first: it takes over from the one of the key alone.
    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["tournament", "played_on", "sequence", "result"], name="game_of_event"),
        ),
        migrations.AlterField(
            model_name="game",
            name="tournament",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="games",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
    ]
