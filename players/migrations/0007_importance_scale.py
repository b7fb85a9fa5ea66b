from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0006_questions"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="importance_scale",
            field=models.TextField(blank=True, db_default="", max_length=1000, verbose_name="importance of events"),
        ),
    ]
