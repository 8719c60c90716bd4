"""Command line: python -m oipsce_site.services start|stop|status|run --profile demo|test.

`run` keeps the services up while a program runs: ... run --profile test -- pytest
Exit codes: 0 done, 1 could not (or status: not running), 2 bad usage; `run`: the program's own.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from oipsce_site.services import engines, layout
from oipsce_site.services.layout import Profile
from oipsce_site.services.processes import ServiceError


def main(words: Sequence[str]) -> int:
    """Do what the words ask and return the exit code."""
    given = _parser().parse_args(words)
    profile = layout.profile(given.profile)
    try:
        return _do(given, profile)
    except ServiceError as error:
        _say(f"services: {error}", to_error=True)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m oipsce_site.services")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("start", "stop", "status", "run"):
        one = verbs.add_parser(verb)
        one.add_argument("--profile", choices=layout.PROFILE_NAMES, required=True)
        if verb == "stop":
            one.add_argument("--force", action="store_true", help="even if a process owns them")
        if verb == "run":
            one.add_argument("program", nargs="+", help="the program and its words, after --")
    return parser


def _do(given: argparse.Namespace, profile: Profile) -> int:
    match given.verb:
        case "start":
            _say(engines.start(profile, owner=0).sentence)
            return 0
        case "stop":
            was_up = engines.stop_by_hand(profile, force=given.force)
            _say("stopped" if was_up else "nothing was running")
            return 0
        case "status":
            return _status(profile)
        case _:
            return _run(profile, given.program)


def _status(profile: Profile) -> int:
    now = engines.status(profile)
    held = now.lease
    owner = "nobody" if held is None else "by hand" if held.is_manual else str(held.owner.pid)
    _say(
        f"{profile.name}: postgres {now.postgres or '-'}, valkey {now.valkey or '-'}, owner {owner}"
    )
    return 0 if now.is_up else 1


def _run(profile: Profile, program: list[str]) -> int:
    # A plain SIGTERM would end this process without stopping what it started; and a script that
    # starts us in its background has us ignore SIGINT.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    with engines.running(profile, owner=os.getpid()) as started:
        _say(started.sentence, to_error=True)
        with subprocess.Popen(program) as child:
            try:
                return child.wait()
            except KeyboardInterrupt:
                # From a terminal the program got it as well and is ending by itself.
                child.terminate()
                child.wait()
                return 130


def _say(line: str, *, to_error: bool = False) -> None:
    stream = sys.stderr if to_error else sys.stdout
    stream.write(line + "\n")
    stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
