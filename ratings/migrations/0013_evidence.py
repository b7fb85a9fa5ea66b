from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0012_list_forecasts")]

    operations = [
        migrations.AddField(
            model_name="ratinglist",
            name="evidence",
            field=models.JSONField(db_default=[], default=list, editable=False),
        ),
    ]
