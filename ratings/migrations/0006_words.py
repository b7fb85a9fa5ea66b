import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0005_ledger_by_player"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="ratingstep",
            options={"ordering": ["id"], "verbose_name": "rating step", "verbose_name_plural": "rating steps"},
        ),
        migrations.AlterField(
            model_name="ledgerentry",
            name="rating_list",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ledger",
                to="ratings.ratinglist",
                verbose_name="rating list",
            ),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="draws",
            field=models.PositiveIntegerField(verbose_name="draws"),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="last_played",
            field=models.DateField(null=True, verbose_name="last played"),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="losses",
            field=models.PositiveIntegerField(verbose_name="losses"),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="ranked",
            field=models.BooleanField(verbose_name="ranked"),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="rating_list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to="ratings.ratinglist",
                verbose_name="rating list",
            ),
        ),
        migrations.AlterField(
            model_name="playerrating",
            name="wins",
            field=models.PositiveIntegerField(verbose_name="wins"),
        ),
        migrations.AlterField(
            model_name="ratingstep",
            name="kind",
            field=models.CharField(
                choices=[
                    ("start", "starting rating"),
                    ("event", "event"),
                    ("period", "rating period"),
                    ("normalise", "normalisation"),
                    ("decay", "decay"),
                    ("fit", "fit"),
                    ("inactivity", "inactivity"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="ratingstep",
            name="rating_list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="steps",
                to="ratings.ratinglist",
                verbose_name="rating list",
            ),
        ),
        migrations.AlterField(
            model_name="startingrating",
            name="rating_list",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="starting_ratings",
                to="ratings.ratinglist",
                verbose_name="rating list",
            ),
        ),
    ]
