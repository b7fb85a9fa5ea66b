import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_members"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="pool",
            field=models.SlugField(max_length=30, verbose_name="pool"),
        ),
        migrations.AlterField(
            model_name="game",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="games",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
    ]
