import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0009_notices"),
        ("tournaments", "0014_game"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="low_score_wins",
            field=models.BooleanField(db_default=False, default=False, verbose_name="the lower score wins"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="scores",
            field=models.CharField(
                blank=True,
                choices=[
                    ("points", "points"),
                    ("victory", "victory points"),
                    ("goals", "goals"),
                    ("sets", "sets"),
                    ("imp", "IMP"),
                    ("percent", "percent"),
                ],
                db_default="",
                default="",
                help_text="What the scores of tables are. Empty: only places are entered.",
                max_length=8,
                verbose_name="scores",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="game",
            field=models.CharField(
                choices=[
                    ("chess", "chess"),
                    ("xiangqi", "xiangqi"),
                    ("go", "go"),
                    ("draughts", "draughts"),
                    ("other", "another game"),
                ],
                db_default="chess",
                default="chess",
                max_length=8,
                verbose_name="game played",
            ),
        ),
        migrations.CreateModel(
            name="Contest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pool", models.SlugField(max_length=30, verbose_name="pool")),
                ("played_on", models.DateField(verbose_name="played on")),
                ("sequence", models.BigIntegerField(unique=True)),
                (
                    "importance",
                    models.FloatField(
                        default=1.0,
                        validators=[
                            django.core.validators.MinValueValidator(0.01),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                ("own_importance", models.BooleanField(default=False)),
                ("withdrawn", models.BooleanField(default=False, verbose_name="withdrawn")),
                ("label", models.CharField(max_length=100)),
                ("recorded_at", models.DateTimeField()),
                ("revision", models.PositiveIntegerField(default=0)),
                (
                    "pairing",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contest",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contests",
                        to="tournaments.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "contest",
                "verbose_name_plural": "contests",
                "ordering": ["played_on", "sequence"],
            },
        ),
        migrations.CreateModel(
            name="ContestSide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("line", models.PositiveSmallIntegerField()),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
                ("score", models.FloatField(null=True, verbose_name="score")),
                (
                    "contest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sides", to="tournaments.contest"
                    ),
                ),
            ],
            options={
                "ordering": ["contest", "line"],
            },
        ),
        migrations.CreateModel(
            name="ContestMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("weight", models.FloatField(default=1.0)),
                (
                    "contest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="tournaments.contest"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="contests", to="players.player"
                    ),
                ),
                (
                    "side",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="tournaments.contestside",
                    ),
                ),
            ],
            options={
                "ordering": ["side", "player"],
            },
        ),
        migrations.AddIndex(
            model_name="contest",
            index=models.Index(fields=["pool", "played_on", "sequence"], name="contest_in_order_of_replay"),
        ),
        migrations.AddConstraint(
            model_name="contest",
            constraint=models.UniqueConstraint(fields=("tournament", "label"), name="contest_label_once_per_event"),
        ),
        migrations.AddConstraint(
            model_name="contestside",
            constraint=models.UniqueConstraint(fields=("contest", "line"), name="line_once_per_contest"),
        ),
        migrations.AddConstraint(
            model_name="contestside",
            constraint=models.CheckConstraint(
                condition=models.Q(("line__gte", 1), ("place__gte", 1)), name="place_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="contestmember",
            constraint=models.UniqueConstraint(fields=("contest", "player"), name="player_once_per_contest"),
        ),
        migrations.AddConstraint(
            model_name="contestmember",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gt", 0), ("weight__lte", 1)), name="weight_is_a_share"
            ),
        ),
    ]
