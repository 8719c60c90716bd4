"""One module reads the environment, and settings start and need nothing."""

import ast
import subprocess
import sys

import pytest

from oipsce_site import environment
from oipsce_site.services.layout import CHECKOUT
from tests.architecture.source import PACKAGES, Module, modules

READER = "oipsce_site/environment.py"


def test_one_module_reads_the_environment() -> None:
    readers = {module.path for module in modules(*PACKAGES) if _reads_environment(module)}
    assert readers <= {READER}, f"only {READER} reads the environment: {readers - {READER}}"


@pytest.mark.parametrize("name", ["dev", "test"])
def test_settings_import_without_services(name: str) -> None:
    program = f"import oipsce_site.settings.{name}, sys; sys.exit('psycopg' in sys.modules)"
    env = environment.inherited(DATABASE_URL="", REDIS_URL="", OIPSCE_DB_ROLE="")
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=CHECKOUT, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_production_names_what_it_lacks() -> None:
    env = environment.inherited(DATABASE_URL="", REDIS_URL="", SECRET_KEY="")
    words = [sys.executable, "-c", "import oipsce_site.settings.prod"]
    done = subprocess.run(words, cwd=CHECKOUT, env=env, capture_output=True, check=False)
    assert b"SECRET_KEY is not set" in done.stderr


def test_production_settings_pass_djangos_own_check() -> None:
    env = environment.inherited(
        DJANGO_SETTINGS_MODULE="oipsce_site.settings.prod",
        DATABASE_URL="postgresql://web:x@db.invalid/oip",
        REDIS_URL="redis://broker.invalid:6379/0",
        SECRET_KEY="".join(chr(33 + number % 90) for number in range(7, 80)),
        ALLOWED_HOSTS="oip.example",
        SEALING_KEY_FILE="sealing.keys",
    )
    words = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(words, cwd=CHECKOUT, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def _reads_environment(module: Module) -> bool:
    # Entry points name their settings by os.environ.setdefault: that reads nothing.
    defaults = {
        node.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "setdefault"
    }
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in {"environ", "environb", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and node not in defaults
        for node in ast.walk(module.tree)
    )
