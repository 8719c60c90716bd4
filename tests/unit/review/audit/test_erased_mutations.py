"""What the verifier demands where an audit says that a call was erased: the end of its chain."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from oipsce_site.signing.core.plain import write_json
from oipsce_site.signing.core.refusals import Refused
from tests.unit.review.audit.erased import GONE, NAME, erased_audit, spoilt
from tests.unit.review.audit.spoiling import CALL
from tests.unit.review.audit.world import verify


def of_another(data: bytes) -> bytes:
    return data.replace(GONE.call_id.encode(), CALL.encode())


def at_another_time(data: bytes) -> bytes:
    line = json.loads(data)
    return write_json({**line, "at_us": line["at_us"] + 1}) + b"\n"


TABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing shows it": (spoilt(lambda files: files.pop(NAME)), "E-ERASED"),
    "erased in words only": (lambda: erased_audit(is_erased=False), "E-ERASED"),
    "the erasure of another call": (
        spoilt(lambda files: files.update({NAME: of_another(files[NAME])})),
        "E-CHAINID",
    ),
    "an altered entry": (
        spoilt(lambda files: files.update({NAME: at_another_time(files[NAME])})),
        "E-HASH",
    ),
    "the erasure of a call that is there": (
        spoilt(lambda files: files.update({f"erased/{CALL}.jsonl": files[NAME]})),
        "E-PROFILE",
    ),
    "an entry too many": (
        spoilt(lambda files: files.update({NAME: files[NAME] * 2})),
        "E-SEQ",
    ),
    "an empty file": (spoilt(lambda files: files.update({NAME: b""})), "E-JSON"),
}


def test_an_erased_call_is_shown_to_be() -> None:
    assert verify(erased_audit()).predicate["universe"]["erased"] == 1


@pytest.mark.parametrize(("make", "code"), TABLE.values(), ids=TABLE)
def test_an_erasure_that_is_not_shown_is_refused(make: Callable[[], bytes], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        verify(make())
    assert refusal.value.code == code, refusal.value
