"""Scripts that are written in several files and sent as one: on a slow line each request costs a
reader more than its bytes do.
"""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

#: By the name a page asks for: the parts under `static/`, in the order in which they run.
JOINED = {"js/call.js": ("js/call/sending.js", "js/call/page.js")}


class JoinedFinder(BaseFinder):
    """Finds a joined script for `collectstatic` and for the development server."""

    def __init__(self, app_names: object = None, *args: object, **kwargs: object) -> None:
        """Take what the staticfiles app hands to each finder; nothing of it is used."""
        self._static = Path(settings.BASE_DIR) / "static"
        self._joined = Path(settings.BASE_DIR) / "var" / "joined"

    def find(  # type: ignore[override]  # the stubs tell find_all's two values apart
        self,
        path: str,
        find_all: bool = False,  # noqa: FBT001, FBT002 - Django's own signature
        **kwargs: object,
    ) -> str | list[str]:
        """Return the file that `path` was joined into, or an empty list for any other script."""
        if path not in JOINED:
            return []
        found = str(self._join(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield each joined script with the storage it lies in."""
        storage = FileSystemStorage(location=self._joined)
        for path in JOINED:
            self._join(path)
            yield path, storage

    def _join(self, path: str) -> Path:
        """Write anew on each ask, so that a change to a part is seen at the next reload."""
        parts = [(self._static / part).read_text("utf-8") for part in JOINED[path]]
        target = self._joined / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(parts), "utf-8")
        return target
