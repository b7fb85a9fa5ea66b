from django.db import migrations
from django.db.models import F


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0027_entry_deviation")]

    operations = [
        migrations.AlterModelOptions(
            name="tournament",
            options={
                "ordering": [F("starts_on").desc(nulls_last=True), "-id"],
                "permissions": [("enter_results", "Can enter results and who has come")],
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
            },
        ),
        migrations.AlterModelOptions(
            name="season",
            options={
                "ordering": [F("first_day").desc(nulls_last=True), "-id"],
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
            },
        ),
    ]
