from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_contests"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="handicap",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="handicap"),
        ),
        migrations.AddField(
            model_name="game",
            name="komi",
            field=models.FloatField(blank=True, null=True, verbose_name="komi"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="komi",
            field=models.FloatField(blank=True, null=True, verbose_name="usual komi"),
        ),
    ]
