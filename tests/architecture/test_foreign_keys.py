"""Foreign keys point downwards, also those written as strings, which no import contract sees."""

from collections.abc import Iterator

from django.apps import apps
from django.db.models import Model

# From the ground up; a table may refer to its own level and to those before it.
ORDER = ("contenttypes", "auth", "people", "ledger", "catalogs", "review")


def test_foreign_keys_point_down() -> None:
    wrong = [
        f"{model._meta.label}.{name} -> {target._meta.label}"
        for model, name, target in _references()
        if _level(target) > _level(model) >= 0
    ]
    assert not wrong, f"these refer upwards: {wrong}"


def test_nothing_refers_to_the_decision_log() -> None:
    referring = [
        f"{model._meta.label}.{name}"
        for model, name, target in _references()
        if target._meta.app_label == "ledger"
    ]
    assert not referring, f"the log is named by ids, never by a foreign key: {referring}"


def _references() -> Iterator[tuple[type[Model], str, type[Model]]]:
    """Yield every foreign key as (table it lies in, its name, table it points to)."""
    for model in apps.get_models():
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
            target = field.related_model
            if isinstance(target, type):
                yield model, field.name, target


def _level(model: type[Model]) -> int:
    label = model._meta.app_label
    return ORDER.index(label) if label in ORDER else -1
