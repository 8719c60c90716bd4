"""Sign, seal and export in a process that is killed in the middle: python -m ... STAGE.

What was left is looked at by this process, which lives to tell: it ends with 1 where a promise of
the fault table does not hold.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import django

import oipsce_site.celery  # noqa: F401 - the app that rings

django.setup()

from django.db import connection, connections  # noqa: E402

from oipsce_site.ledger import checkpoints  # noqa: E402
from oipsce_site.ledger.core.chain import read_body  # noqa: E402
from oipsce_site.ledger.core.sealed import Seal  # noqa: E402
from oipsce_site.ledger.queries import (  # noqa: E402
    entries_of,
    last_seal,
    seals_of,
    verify,
    verify_log,
)
from oipsce_site.ledger.remembered import Memory  # noqa: E402
from oipsce_site.people.roles import Role  # noqa: E402
from oipsce_site.signing.store import open_store  # noqa: E402
from review.actions import signing  # noqa: E402
from review.actions.export_orders import UnableToExport  # noqa: E402
from review.actions.exports import Wish, fetch_export, request_export  # noqa: E402
from review.core.export import bundle  # noqa: E402
from review.core.verify.bundle import Asked, verify_audit  # noqa: E402
from review.models import (  # noqa: E402
    AuditExport,
    AuditPiece,
    ProfileCode,
    SigningIntent,
    SignOff,
)
from review.queries.chains import sites_of_chains  # noqa: E402
from review.tasks import exports  # noqa: E402
from tests.factories import (  # noqa: E402
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signed import sign_stored  # noqa: E402
from tests.signers import (  # noqa: E402
    begin,
    complete,
    read_and_decide,
    with_app,
    with_passkey,
)


def prepare() -> None:
    """Publish the catalog of all calls here."""
    publish(catalog_source("micro"))


def between_entry_and_commit() -> None:
    """F2: killed with the entry inserted and nothing committed, then sent again."""
    signer, call_id = with_passkey(with_app(make_person(Role.SENIOR_REVIEWER))), _call()
    read_and_decide(call_id, signer.user, at=_now())
    begun = begin(signer, call_id, at=_now())
    vars(signing)["keep_signed_line"] = _die
    _killed(lambda: complete(signer, call_id, begun, at=_now()))
    assert not SignOff.objects.filter(call=call_id).exists()
    assert "call.sign" not in _kinds(call_id)
    assert SigningIntent.objects.get(pk=begun.intent_id).used_at is None
    vars(signing)["keep_signed_line"] = _keep_signed_line
    assert not complete(signer, call_id, begun, at=_now()).again
    _check_signed_once(call_id)


def between_commit_and_answer() -> None:
    """F3: killed before anybody was told, then sent again."""
    signer, call_id = with_passkey(with_app(make_person(Role.SENIOR_REVIEWER))), _call()
    read_and_decide(call_id, signer.user, at=_now())
    begun = begin(signer, call_id, at=_now())
    _killed(lambda: _die(complete(signer, call_id, begun, at=_now())))
    [first] = SignOff.objects.filter(call=call_id)
    told = complete(signer, call_id, begun, at=_now())
    assert (told.again, told.digest) == (True, first.digest)
    _check_signed_once(call_id)


def sealing() -> None:
    """F10: killed with the checkpoint inserted, then before it is remembered; then two at once."""
    _call()
    whole = vars(checkpoints)["_append"]
    vars(checkpoints)["_append"] = lambda *given: _die(whole(*given))
    _killed(_seal)
    assert last_seal() is None
    vars(checkpoints)["_append"] = whole
    keep = Memory.keep
    vars(checkpoints)["open_memory"] = _Forgetful
    _killed(_seal)
    assert last_seal() is not None
    vars(checkpoints)["open_memory"] = _open_memory
    assert Memory.keep is keep
    _call()
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: _seal_and_leave(), range(2)))
    assert sum(one is not None for one in made) == 1, made
    seals = seals_of(1)
    assert len({one.size for one in seals}) == len(seals) == 2
    assert verify_log(1, open_store(at=_now()).keyring()) == []


def exporting() -> None:
    """F18: killed when half of the calls are in; nothing is served until another one ends it."""
    signer = make_person(Role.SENIOR_REVIEWER)
    calls = [_call() for _ in range(4)]
    for call_id in calls:
        sign_stored(call_id, signer)
    officer, export_id = make_person(Role.COMPLIANCE_OFFICER), uuid4()
    wish = Wish(ProfileCode.MINIMUM, "Board", "Inspection")
    request_export(export_id=export_id, site=make_site(), wish=wish, by=officer, at=_now())
    exports.PIECE, exports.PORTION = 10_000, 2
    vars(bundle)["MOST_WAITING"] = 0
    whole = vars(exports)["call_files"]
    vars(exports)["call_files"] = _second_time_die(whole)
    _killed(exports.export_waiting)
    vars(exports)["call_files"] = whole
    export = AuditExport.objects.get(pk=export_id)
    assert (export.state, export.attempts) == ("RUNNING", 1)
    assert AuditPiece.objects.filter(export=export, attempt=1).exists(), "killed too early"
    try:
        fetch_export(export_id=export_id, by=officer, at=_now())
    except UnableToExport:
        pass
    else:
        raise AssertionError("half a file was served")
    AuditExport.objects.filter(pk=export_id).update(lease_until=_now() - timedelta(seconds=1))
    exports.export_waiting()
    assert set(AuditPiece.objects.values_list("attempt", flat=True)) == {2}
    data = b"".join(fetch_export(export_id=export_id, by=officer, at=_now()))
    found = verify_audit(io.BytesIO(data), Asked(open_store(at=_now()).root_id(), _now()))
    assert len(found.verdicts) == AuditExport.objects.get(pk=export_id).calls >= len(calls)
    assert _kinds(make_site().pk).count("audit.export") == 1
    assert all(_kinds(one).count("call.disclose") == 1 for one in calls)


STAGES: dict[str, Callable[[], None]] = {
    "prepare": prepare,
    "f2": between_entry_and_commit,
    "f3": between_commit_and_answer,
    "f10": sealing,
    "f18": exporting,
}
_keep_signed_line = vars(signing)["keep_signed_line"]
_open_memory = vars(checkpoints)["open_memory"]


class _Forgetful:
    """What dies where the sealer would remember its checkpoint."""

    def note(self) -> bytes | None:
        return None

    def keep(self, _: bytes) -> None:
        _die()


def _killed(act: Callable[[], Any]) -> None:
    """Act in a process that is killed by it."""
    connections.close_all()
    child = os.fork()
    if not child:
        try:
            act()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "nothing was killed"
    assert os.WTERMSIG(status) == signal.SIGKILL


def _die(*_: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _second_time_die(whole: Callable[..., Any]) -> Callable[..., Any]:
    times: list[int] = []

    def read_or_die(*given: Any) -> Any:
        times.append(1)
        return whole(*given) if len(times) == 1 else _die()

    return read_or_die


def _seal() -> Seal | None:
    return checkpoints.seal_heads(place=sites_of_chains, at=_now())


def _seal_and_leave() -> Seal | None:
    try:
        return _seal()
    finally:
        connection.close()


def _call() -> UUID:
    return prefilled(read(raw_micro(id=uuid4().hex)))


def _kinds(chain_id: UUID) -> list[str]:
    return [str(read_body(entry.body)["type"]) for entry in entries_of(chain_id)]


def _check_signed_once(call_id: UUID) -> None:
    assert SignOff.objects.filter(call=call_id).count() == 1
    assert _kinds(call_id).count("call.sign") == 1
    assert verify(call_id) == []


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    STAGES[sys.argv[1]]()
