"""The rules for migrations while the site runs (docs/decisions/0022), as far as they can be read off a migration: what
in it would break the program of the version before, or keep it waiting."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from clubrating.ops.indexes import AddIndexWhileRunning

# Written into the migration's file: the version from which on no program uses what is taken away, or every program
# keeps the rule that the database is to keep from now on.
UNUSED, OBEYED = "UNUSED_SINCE", "OBEYED_SINCE"
MARKS = (UNUSED, OBEYED)

HARMLESS = (
    migrations.CreateModel,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.RemoveConstraint,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.AlterModelTableComment,
)
# What a field says of itself that no table knows. (Not its column's name.)
SAID_ONLY = {*models.Field.non_db_attrs, "default"} - {"db_column"}
TAKES_AWAY = re.compile(
    r"\b(DROP\s+(?!INDEX|CONSTRAINT|DEFAULT|NOT\b)|RENAME\b|TRUNCATE\b|SET\s+NOT\s+NULL|ALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """How far a migration is read: the tables as they are by then, and which tables and columns it has made itself."""

    app: str
    marks: frozenset[str]
    atomic: bool
    state: ProjectState
    made: set[str] = field(default_factory=set)
    added: dict[tuple[str, str], Any] = field(default_factory=dict)

    def field_of(self, table: str, name: str) -> Any:
        return self.state.models[self.app, table].fields[name]


def faults(migration: migrations.Migration, marks: frozenset[str], before: ProjectState) -> Iterator[str]:
    """A sentence for each. `marks`: those in its file; `before`: the tables as the migration finds them."""
    reading = Reading(migration.app_label, marks, migration.atomic, before.clone())
    for each in migration.operations:
        for step, why in read(each, reading):
            yield f"{migration}: {step.describe()}: {why}"


def read(each: Operation, reading: Reading) -> Iterator[tuple[Operation, str]]:
    """What is wrong with a step; whatever hides in another step is looked at for itself."""
    if isinstance(each, migrations.SeparateDatabaseAndState):
        inside = replace(reading, state=reading.state.clone())
        for step in each.database_operations:
            yield from read(step, inside)
    else:
        yield from ((each, why) for why in wrong_with(each, reading) if table_of(each) not in reading.made)
        if isinstance(each, migrations.CreateModel):
            reading.made.add(each.name_lower)
        if isinstance(each, migrations.AddField):
            reading.added[each.model_name_lower, each.name] = each.field
    each.state_forwards(reading.app, reading.state)


def table_of(each: Any) -> str:
    return str(getattr(each, "model_name_lower", getattr(each, "name_lower", "")))


def wrong_with(each: Operation, reading: Reading) -> Iterator[str]:
    """A step on a table that was there before. What is not known to be harmless takes something away."""
    if isinstance(each, HARMLESS):
        return
    if isinstance(each, migrations.AddField):
        if not fills_itself(each.field):
            yield "the version before writes rows without it; give it null=True or a db_default"
    elif isinstance(each, migrations.AlterField):
        if not is_wider(reading.field_of(each.model_name_lower, each.name), each.field):
            yield "another field than the version before knows; add a new one beside it"
    elif isinstance(each, migrations.AddIndex):
        if not isinstance(each, AddIndexWhileRunning):
            yield "keeps writers waiting; make it AddIndexWhileRunning"
        elif reading.atomic:
            yield "is made outside a transaction; write atomic = False"
    elif isinstance(each, migrations.AddConstraint | migrations.AlterUniqueTogether):
        if OBEYED not in reading.marks and not is_new_only(each, reading):
            yield f"the version before may break it; say in {OBEYED} since when every program keeps it"
    elif isinstance(each, migrations.RunPython | migrations.RunSQL):
        if not each.reversible:
            yield "cannot be taken back"
        if isinstance(each, migrations.RunSQL) and TAKES_AWAY.search(sql_of(each)) and UNUSED not in reading.marks:
            yield f"takes away what the version before uses; say in {UNUSED} since when nothing does"
    elif UNUSED not in reading.marks:
        yield f"takes away what the version before uses; say in {UNUSED} since when nothing does"


def fills_itself(made: Any) -> bool:
    """Whether rows written without the field are whole. The same value in every row is not unique."""
    return made.null or (made.has_db_default() and not made.unique) or isinstance(made, models.ManyToManyField)


def is_wider(old: Any, new: Any) -> bool:
    """Whether whatever the version before writes and reads still fits."""
    (_, kind, args, was), (_, new_kind, new_args, will) = old.deconstruct(), new.deconstruct()
    changed = {name for name in was.keys() | will.keys() if was.get(name) != will.get(name)} - SAID_ONLY
    if new.null:
        changed.discard("null")
    if new.has_db_default():
        changed.discard("db_default")
    if not new.db_index:
        changed.discard("db_index")
    if (new.max_length or float("inf")) >= (old.max_length or float("inf")):
        changed.discard("max_length")
    becomes_text = isinstance(old, models.CharField) and type(new) is models.TextField
    return not changed and (kind == new_kind or becomes_text) and args == new_args


def is_new_only(each: Any, reading: Reading) -> bool:
    """Whether the rule leaves rows alone in which a column of this migration was not filled in."""
    constraint = getattr(each, "constraint", None)
    fields = [reading.added.get((table_of(each), name)) for name in getattr(constraint, "fields", ())]
    made = [each for each in fields if each is not None]
    return bool(made) and (any(each.null for each in made) or constraint.condition is not None)


def sql_of(each: migrations.RunSQL) -> str:
    parts = [each.sql] if isinstance(each.sql, str) else each.sql
    return "; ".join(part if isinstance(part, str) else part[0] for part in parts)
