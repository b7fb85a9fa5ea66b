from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0004_published_details"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(fields=["rating_list", "generation", "white_player", "order"], name="ledger_of_white"),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(fields=["rating_list", "generation", "black_player", "order"], name="ledger_of_black"),
        ),
    ]
