"""Foreign keys point downwards, also those written as strings, which no import contract sees."""

from django.apps import apps

# From the ground up; a table may refer to its own level and to those before it.
ORDER = ("contenttypes", "auth", "people", "ledger", "catalogs", "review")


def test_foreign_keys_point_down() -> None:
    wrong = []
    for model in apps.get_models():
        level = _level(model._meta.app_label)
        if level < 0:
            continue
        for field in model._meta.get_fields():
            target = field.related_model
            if not field.concrete or target is None or isinstance(target, str):
                continue
            if _level(target._meta.app_label) > level:
                wrong.append(f"{model._meta.label}.{field.name} -> {target._meta.label}")
    assert not wrong, f"these refer upwards: {wrong}"


def test_nothing_refers_to_the_decision_log() -> None:
    referring = [
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.concrete
        and field.related_model is not None
        and not isinstance(field.related_model, str)
        and field.related_model._meta.app_label == "ledger"
    ]
    assert not referring, f"the log is named by ids, never by a foreign key: {referring}"


def _level(label: str) -> int:
    return ORDER.index(label) if label in ORDER else -1
