"""Facts about processes, and the account PostgreSQL runs under.

PostgreSQL refuses to run as root. There it gets an account of its own, `oip-postgres`, made on
first use; where no account can be made, `nobody`.
"""

import os
import pwd
import shutil
import stat
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_ACCOUNT = "oip-postgres"
_FALLBACK_ACCOUNT = "nobody"


class ServiceError(RuntimeError):
    """An embedded service could not do what was asked; the text says what to do about it."""


@dataclass(frozen=True, slots=True)
class Account:
    """The user and group ids a program is started under."""

    name: str
    uid: int
    gid: int


def is_running(pid: int) -> bool:
    """Tell whether a process of that id lives; a zombie does not."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _stat_fields(pid)[:1] != ["Z"]


def serves(find: Callable[[], int], answers: Callable[[], bool], seconds: float) -> bool:
    """Tell whether the server that `find` names serves; False where none lives.

    One that is starting or just being ended has a process and no answer: it is waited for until it
    answers or is gone. Raises ServiceError when neither comes within `seconds`.
    """
    last = time.monotonic() + seconds
    while server := find():
        if answers():
            return True
        if time.monotonic() > last:
            raise ServiceError(f"process {server} lives and does not answer: end it by hand")
        time.sleep(0.02)
    return False


def birth(pid: int) -> str:
    """Return a mark of when the process began, so that a reused id is not taken for it.

    Empty where the system has no /proc; the id alone must then do.
    """
    fields = _stat_fields(pid)
    return fields[19] if len(fields) > 19 else ""


def _stat_fields(pid: int) -> list[str]:
    # The command may hold blanks and brackets: fields are counted after its last bracket.
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return line.rpartition(")")[2].split()


def group_members(group: int) -> list[int]:
    """Return the living members of a process group; zombies are not among them.

    Where the system has no /proc, the leader alone stands for its group.
    """
    if not Path("/proc/self/stat").exists():
        return [group] if is_running(group) else []
    numbers = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    fields = {number: _stat_fields(number) for number in numbers}
    return [
        number
        for number, found in fields.items()
        if len(found) > 2 and found[2] == str(group) and found[0] != "Z"
    ]


def command_line(pid: int) -> list[str]:
    """Return the words the process was started with; empty when they cannot be read."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []
    return [os.fsdecode(word) for word in words if word]


def current_account() -> Account:
    """Return the account of this process, which may have no name (a container's bare number)."""
    return Account(str(os.geteuid()), os.geteuid(), os.getegid())


def postgres_account() -> Account:
    """Return the account for PostgreSQL, making it when this process is root and it is missing."""
    if os.geteuid() != 0:
        return current_account()
    return _account(_ACCOUNT) or _make_account() or _fallback_account()


def _account(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _make_account() -> Account | None:
    program = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin")
    if program is None:
        return None
    words = [program, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", _ACCOUNT]
    subprocess.run(words, capture_output=True, check=False)
    return _account(_ACCOUNT)


def _fallback_account() -> Account:
    found = _account(_FALLBACK_ACCOUNT)
    if found is None:
        raise ServiceError(
            "PostgreSQL does not run as root and this machine has neither useradd nor the user "
            f"{_FALLBACK_ACCOUNT}: start as an ordinary user"
        )
    return found


def run_as(account: Account, words: Sequence[str], *, where: Path) -> str:
    """Run a program to its end under the account; returns what it printed.

    Raises ServiceError with the end of its output when it fails. The program's output goes
    through a file, not a pipe: a server it leaves behind would hold a pipe open for ever.
    """
    is_other = account.uid != os.geteuid()
    ids = {"user": account.uid, "group": account.gid, "extra_groups": []} if is_other else {}
    with where.open("w+b") as output:
        done = subprocess.run(  # type: ignore[call-overload]  # ids is all of three or none
            [*words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            check=False,
            **ids,
        )
        output.seek(0)
        said = output.read().decode(errors="replace")
    if done.returncode != 0:
        program = Path(words[0]).name
        raise ServiceError(f"{program} ended with {done.returncode}: {said[-800:].strip()}")
    return said


def open_the_way(account: Account, *targets: Path) -> list[Path]:
    """Let the account walk down to the targets: adds o+x to folders on the way that lack it.

    Nothing becomes readable or listable. Returns the folders changed, outermost first; does
    nothing when the account is this process's own.
    """
    if account.uid == os.geteuid():
        return []
    folders = {folder for target in targets for folder in target.resolve().parents}
    changed = []
    for folder in sorted(folders, key=lambda path: len(path.parts)):
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
            changed.append(folder)
    return changed


def own_folder(folder: Path, *, mode: int, account: Account | None = None) -> None:
    """Make the folder with exactly this mode and owner, or check that an existing one is safe.

    Raises ServiceError when the folder is a link or belongs to a stranger: under the temporary
    folder someone else could have put it there.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    wanted = account.uid if account else os.geteuid()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {wanted, os.geteuid()}:
        raise ServiceError(f"{folder} is not ours (owner {found.st_uid}): remove it")
    if account and found.st_uid != wanted:
        os.chown(folder, account.uid, account.gid)
    folder.chmod(mode)
