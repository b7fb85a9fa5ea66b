from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0026_evening_rules")]

    operations = [
        migrations.AddField(model_name="entry", name="rating_deviation", field=models.FloatField(null=True)),
    ]
