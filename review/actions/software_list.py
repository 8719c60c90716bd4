"""What software this process runs with, as CycloneDX tells it: the SBOM of the auditor pack."""

from __future__ import annotations

import json
import platform
from importlib.metadata import distributions
from typing import Any

from django.conf import settings


def list_software() -> bytes:
    """Return every installed distribution with its version, and Python, as CycloneDX 1.6 JSON.

    Nothing in it comes from a clock or a file's place: the same environment gives the same bytes.
    """
    found = {(one.name.lower(), one.version): one.metadata for one in distributions()}
    components = [
        {"type": "platform", "name": "cpython", "version": platform.python_version()},
        *(_component(*key, found[key]) for key in sorted(found)),
    ]
    product = {"type": "application", "name": "oip-sce-review", "version": settings.APP_BUILD}
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
    }
    return (json.dumps(whole, indent=1, sort_keys=True) + "\n").encode()


def _component(name: str, version: str, metadata: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name.replace('_', '-')}@{version}",
    }
    said = metadata.get("License-Expression")
    return made | ({"licenses": [{"expression": said}]} if said else {})
