import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0006_words"),
        ("tournaments", "0015_contests"),
    ]

    operations = [
        migrations.AddField(
            model_name="ratinglist",
            name="has_contests",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.CreateModel(
            name="ContestEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("generation", models.PositiveIntegerField()),
                ("order", models.BigIntegerField()),
                ("sides", models.PositiveSmallIntegerField()),
                ("side", models.PositiveSmallIntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("player", models.BigIntegerField()),
                ("outcome", models.FloatField()),
                ("before", models.FloatField()),
                ("games", models.PositiveIntegerField()),
                ("peak", models.FloatField()),
                ("deviation", models.FloatField(null=True)),
                ("volatility", models.FloatField(null=True)),
                ("coefficient", models.FloatField(null=True)),
                ("reached", models.BigIntegerField()),
                ("last_day", models.IntegerField(null=True)),
                ("reentry", models.PositiveSmallIntegerField()),
                ("expected", models.FloatField(null=True)),
                ("k", models.FloatField(null=True)),
                ("change", models.FloatField()),
                ("after", models.FloatField()),
                ("deviation_after", models.FloatField(null=True)),
                (
                    "contest",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger",
                        to="tournaments.contest",
                    ),
                ),
                (
                    "rating_list",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contest_ledger",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "verbose_name": "ledger row of a contest",
                "verbose_name_plural": "ledger of contests",
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["rating_list", "generation", "order"], name="contest_ledger_in_order"),
                    models.Index(
                        fields=["rating_list", "generation", "player", "order"], name="contest_ledger_of_player"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rating_list", "generation", "contest", "player"), name="ledger_member_once_per_list"
                    )
                ],
            },
        ),
    ]
