from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0007_contests'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratinglist',
            name='names',
            field=models.JSONField(blank=True, db_default={}, default=dict, verbose_name='names in the site’s languages'),
        ),
        migrations.AddField(
            model_name='ratingtier',
            name='names',
            field=models.JSONField(blank=True, db_default={}, default=dict, verbose_name='names in the site’s languages'),
        ),
    ]
