from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0007_importance_scale"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="reading",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The name in another script, for those who cannot read it: Satō Haruka for 佐藤はるか.",
                max_length=100,
                verbose_name="reading",
            ),
        ),
    ]
