"""Image, services and the example of their variables say the same as the code reads."""

from __future__ import annotations

import ast
import re
from typing import Any

import yaml

from oipsce_site import environment
from oipsce_site.services.layout import CHECKOUT
from tests.architecture.source import PACKAGES, modules

_READERS = {"text", "required", "flag", "integer", "names"}
# The build machine's own.
_NOT_SETTINGS = {"CI"}


def _read_by_the_code() -> set[str]:
    return {
        node.args[0].value
        for module in modules(*PACKAGES)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _READERS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "environment"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    } | {"DATABASE_URL", "DATABASE_OWNER_URL"}  # read by the name of the role


def _in_compose() -> set[str]:
    text = (CHECKOUT / "compose.yaml").read_text(encoding="utf-8")
    return set(re.findall(r"(?<!\$)\$\{(\w+)", text))


def _in_example() -> list[str]:
    text = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    return re.findall(r"^#?([A-Z][A-Z_]+)=", text, re.MULTILINE)


def _services() -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load((CHECKOUT / "compose.yaml").read_text("utf-8"))
    services: dict[str, Any] = described["services"]
    return services


def test_the_example_names_every_variable_once() -> None:
    names = _in_example()
    assert len(names) == len(set(names))
    assert set(names) == _read_by_the_code() | _in_compose()


def test_the_page_of_variables_names_what_the_code_reads() -> None:
    described = re.findall(r"^([A-Z][A-Z_]+)  ", environment.__doc__ or "", re.MULTILINE)
    assert set(described) - _NOT_SETTINGS == _read_by_the_code()


def test_the_example_holds_no_secret() -> None:
    text = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    filled = dict(re.findall(r"^([A-Z_]+)=(.+)$", text, re.MULTILINE))
    assert not {name for name in filled if "PASSWORD" in name or "SECRET" in name}


def test_only_the_migration_is_given_the_owner() -> None:
    with_owner = {
        name
        for name, service in _services().items()
        if "OWNER_PASSWORD" in str(service.get("environment")) and name != "postgres"
    }
    assert with_owner == {"migrate"}


def test_every_process_of_the_site_waits_for_the_migration_and_writes_nothing() -> None:
    ours = {name: one for name, one in _services().items() if "build" in one}
    assert set(ours) == {"migrate", "web", "worker"}
    for name, one in ours.items():
        assert one["read_only"] is True
        assert one["cap_drop"] == ["ALL"]
        assert name == "migrate" or one["depends_on"]["migrate"] == {
            "condition": "service_completed_successfully"
        }


def test_no_port_is_open_to_the_network() -> None:
    ports = [port for one in _services().values() for port in one.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_databases_are_of_a_kept_release() -> None:
    images = {name: one["image"] for name, one in _services().items()}
    assert int(images["postgres"].rpartition(":")[2]) >= 15
    assert int(images["redis"].rpartition(":")[2]) >= 7


def test_the_image_runs_without_rights_and_installs_what_was_pinned() -> None:
    text = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8")
    last_stage = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", last_stage, re.MULTILINE)
    assert "--require-hashes --requirement /tmp/app.txt" in text
    assert "requirements/dev" not in text
    copied = set(re.findall(r"^COPY (\w[\w.]*) ", text, re.MULTILINE))
    assert {"manage.py", "oipsce_site", "catalogs", "review", "templates", "static"} <= copied
