from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0013_game_count"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="game",
            field=models.CharField(
                choices=[("chess", "chess"), ("xiangqi", "xiangqi"), ("go", "go"), ("draughts", "draughts")],
                db_default="chess",
                default="chess",
                max_length=8,
                verbose_name="game played",
            ),
        ),
    ]
