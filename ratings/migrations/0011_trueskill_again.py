from django.db import migrations


def rebuild_trueskill(apps, schema_editor):
    """Tables of three sides and more are computed in another order, which moves the last digits (decision 31): lists by
    TrueSkill are rated again when the club starts, so that their ledger equals its replay."""
    RatingList = apps.get_model("ratings", "RatingList")
    Job = apps.get_model("players", "Job")
    JobChunk = apps.get_model("players", "JobChunk")
    for rating_list in RatingList.objects.filter(rules__system="trueskill").distinct():
        job = Job.objects.create(kind="rebuild-list", subject_key=rating_list.pk)
        JobChunk.objects.create(job=job, number=1)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0010_grades"), ("players", "0011_reached_browsers")]

    operations = [migrations.RunPython(rebuild_trueskill, migrations.RunPython.noop)]
