from django.db import migrations, models
from django.db.models import Q

OBEYED_SINCE = "0.1"  # the rule before was the narrower one


class Migration(migrations.Migration):
    """In a list of go a beginner of 30 kyu has −900."""

    dependencies = [("ratings", "0009_cautious")]

    operations = [
        migrations.RemoveConstraint(model_name="startingrating", name="starting_rating_is_plausible"),
        migrations.AddConstraint(
            model_name="startingrating",
            constraint=models.CheckConstraint(
                condition=Q(rating__range=(-900, 4000)), name="starting_rating_is_plausible"
            ),
        ),
    ]
