"""The base of this app's commands: exit codes that cannot be mistaken for one another.

- 0 all went well, 1 (and 2, where a command says so) what the command itself found; it returns
  these from `work`.
- 3 bad usage or bad input: an unknown option, a missing file, a `CommandError`.
- 4 an internal error, a failed system check, Ctrl-C, SIGTERM or an output that nobody reads to its
  end: nothing was decided.

Django's own 1 and 2 would read as verdicts. Exception texts are not printed: those of libraries may
carry the words of a call. The place of the error is printed; ``--traceback`` shows all of it.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, SystemCheckError
from django.db import OperationalError, connections

from oipsce_site.closed_pipe import let_reader_go

NO_DATABASE = (
    "the database cannot be reached. This command needs the services: start them with `make demo` "
    "or `make run` and run it again beside them."
)


class Exit(IntEnum):
    """What a command's exit code says; UNDETERMINED is `evaluate_call`'s alone."""

    GOOD = 0
    BAD = 1
    UNDETERMINED = 2
    USAGE = 3
    INTERNAL = 4


class Stopped(BaseException):
    """SIGTERM came; no handler for Exception may swallow it."""


class ReviewCommand(BaseCommand):
    """A command that implements `work` and returns its exit code from there."""

    exit_code: int = Exit.GOOD
    #: A command whose 0 is a verdict ends --help with USAGE: nothing was decided.
    zero_is_a_verdict = False

    def work(self, options: Mapping[str, Any]) -> int:
        """Do the command's work and return its exit code. Raises CommandError for bad usage."""
        raise NotImplementedError

    def handle(self, *_: object, **options: Any) -> None:
        """Keep the exit code of `work`; a test that calls the command reads it from there."""
        self.exit_code = int(self.work(options))

    def run_from_argv(self, argv: list[str]) -> NoReturn:
        """Run as from a shell and exit with one of the codes above."""
        previous = signal.signal(signal.SIGTERM, _stop)
        try:
            code = self._run(argv)
        finally:
            signal.signal(signal.SIGTERM, previous)
            connections.close_all()
        sys.exit(code)

    def _run(self, argv: list[str]) -> int:
        name = argv[1]
        show_all = "--traceback" in argv[2:]
        try:
            # Not called from the command line, as argparse sees it: its errors are raised.
            parser = self.create_parser(argv[0], name)
            options = vars(parser.parse_args(argv[2:]))
            args = options.pop("args", ())
            self.execute(*args, **options)
            sys.stdout.flush()
        except SystemCheckError as error:
            return self._say(Exit.INTERNAL, str(error))
        except OperationalError:
            return self._say(Exit.INTERNAL, f"{name}: {NO_DATABASE}")
        except CommandError as error:
            return self._say(Exit.USAGE, f"{name}: {error}")
        except SystemExit as stop:
            return Exit.USAGE if self.zero_is_a_verdict else Exit(int(stop.code or Exit.GOOD))
        except BrokenPipeError:
            let_reader_go()
            return self._say(Exit.INTERNAL, f"{name}: nobody reads the output any more")
        except (KeyboardInterrupt, Stopped):
            return self._say(Exit.INTERNAL, f"{name}: stopped before it was done")
        except Exception as error:
            if show_all:
                sys.excepthook(type(error), error, error.__traceback__)
            return self._say(Exit.INTERNAL, f"{name}: internal error, {_place(error)}")
        return self.exit_code

    def _say(self, code: Exit, sentence: str) -> Exit:
        self.stderr.write(sentence)
        return code


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = ""
    if trace is not None:
        where = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    return f"{type(error).__name__}{where}; run it again with --traceback to see more"
