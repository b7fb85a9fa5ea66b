from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0008_names")]

    operations = [
        migrations.AddField(
            model_name="ratinglist",
            name="cautious",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
