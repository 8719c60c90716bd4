"""People and workers at one signature at the same time, round after round: what each got, and what
is stored. Nothing is ever signed that its signer had not on the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier
from uuid import UUID, uuid4

from django.db import connection, transaction

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Membership, User
from oipsce_site.people.roles import Role
from review.actions.decisions import UnableToDecide
from review.actions.exports import Wish, request_export
from review.actions.opening import open_for_review
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.reopening import ask_to_reopen, reopen_call
from review.core.decisions import Ask, Kind
from review.core.signoff.standing import told_signatures
from review.models import AuditExport, Call, ExportState, ProfileCode, SignOff
from review.permissions import NotAllowed
from review.tasks import export_waiting
from tests.factories import NOON, case, make_person, make_site, prefilled, raw_micro, read
from tests.signers import (
    Signer,
    act,
    asked_now,
    begin,
    complete,
    leave,
    read_and_decide,
    sign_by_code,
    with_app,
    with_passkey,
)

FIRST_DAY = date(2026, 3, 1)
REFUSALS = (StaleSigning, UnableToSign, UnableToDecide, NotAllowed)


def signer() -> Signer:
    """Make somebody who signs whatever others have decided."""
    return with_passkey(with_app(make_person(Role.SENIOR_REVIEWER)))


def ready(number: int, *people: Signer) -> UUID:
    """Make a call that all have opened and the first has decided."""
    call_id = prefilled(read(raw_micro(id=f"call-{number}")) if number else case())
    for one in people:
        open_for_review(call_id=call_id, by=one.user, at=NOON)
    read_and_decide(call_id, people[0].user)
    return call_id


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do all at the same time; returns what each returned, or the refusal it met."""
    gate = Barrier(len(acts))

    def one(act: Callable[[], object]) -> object:
        gate.wait()
        try:
            return act()
        except REFUSALS as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def refused(done: list[object]) -> int:
    """Count the refusals."""
    return sum(isinstance(one, REFUSALS) for one in done)


def day_of(call_id: UUID) -> date | None:
    """Return the day of a call."""
    return Call.objects.get(pk=call_id).call_date


def moment(number: int) -> datetime:
    """Return the time of a round: each is later, so that no session goes on and no code counts
    twice.
    """
    # Two hundred rounds end before now: the sealer refuses what is dated ahead of its clock.
    return NOON + timedelta(minutes=7 * number)


def completion(one: Signer, call_id: UUID, number: int) -> Callable[[], object]:
    """Begin a signing; returns what completes it."""
    begun = begin(one, call_id, at=moment(number))
    answer = one.answer(begun.digest, counter=10 + number)
    return lambda: complete(one, call_id, begun, at=moment(number), assertion=answer)


def both_sign(rounds: int) -> int:
    """Have two people sign each call at once; returns how often the first one won."""
    ann, sue = signer(), signer()
    won = 0
    for number in range(rounds):
        call_id, at = ready(number, ann, sue), moment(number)
        done = at_once(*[completion(one, call_id, number) for one in (ann, sue)])
        assert refused(done) == 1, done
        assert SignOff.objects.filter(call=call_id, at=at).count() == 1
        assert verify(call_id) == []
        won += not isinstance(done[0], REFUSALS)
    return won


def one_form_twice(rounds: int) -> None:
    """Have one form come twice at once: the second is told that its code was used, or gets the
    first one's signature.
    """
    ann = signer()
    for number in range(rounds):
        call_id, at = ready(number, ann), moment(number)
        asked = asked_now(call_id)
        at_once(*[lambda: sign_by_code(ann.user, call_id, asked, at=at)] * 2)  # noqa: B023
        assert SignOff.objects.filter(call=call_id).count() == 1


def change_and_sign(rounds: int) -> int:
    """Have one doubt a row while the other signs; returns how often the signature won."""
    ann, sue = signer(), signer()
    won = 0
    for number in range(rounds):
        call_id = ready(number, ann, sue)
        change = Ask(Kind.DOUBT, "PID", reason="wait")
        done = at_once(
            completion(ann, call_id, number),
            lambda: act(call_id, change, sue.user, at=moment(number)),  # noqa: B023
        )
        assert refused(done) == 1, done
        signed = Call.objects.get(pk=call_id).state == "SIGNED"
        told = told_signatures(entries_of(call_id))
        assert len(told) == int(signed)
        assert all(one.changed_at is None for one in told)
        won += signed
    return won


def disable_and_sign(rounds: int) -> int:
    """Take the signer's role away while they sign; returns how often the signature won.

    Whatever comes first, nobody has signed without the role at that moment, and who lost it signs
    nothing afterwards.
    """
    won = 0
    for number in range(rounds):
        ann = signer()
        call_id = ready(number, ann)
        done = at_once(completion(ann, call_id, number), lambda: _disable(ann.user))  # noqa: B023
        signed = SignOff.objects.filter(call=call_id).exists()
        assert signed is not isinstance(done[0], REFUSALS), done
        later = ready(rounds + number, signer())
        assert refused(at_once(lambda: _signs(ann, later, number))) == 1  # noqa: B023
        assert verify(call_id) == []
        won += signed
    return won


def _signs(ann: Signer, call_id: UUID, number: int) -> object:
    return sign_by_code(ann.user, call_id, at=moment(number) + timedelta(minutes=5))


def _disable(user: User) -> None:
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        Membership.objects.filter(user=locked).update(revoked_at=NOON)
        User.objects.filter(pk=locked.pk).update(is_active=False)


def reopen_and_export(rounds: int) -> int:
    """Reopen and change a signed call while an audit of it is built; returns how often it went in.

    An audit either has the signed call as it was signed, or leaves it out: never a row that nobody
    signed.
    """
    ann, sue = signer(), signer()
    officer = make_person(Role.COMPLIANCE_OFFICER)
    included = 0
    for number in range(rounds):
        call_id = ready(number, ann, sue)
        Call.objects.filter(pk=call_id).update(call_date=FIRST_DAY + timedelta(days=number))
        completion(ann, call_id, number)()
        ask_to_reopen(call_id=call_id, reason="why", by=ann.user, at=moment(number))
        export_id = uuid4()
        # Of this round's day alone: an audit of all rounds before would only take longer.
        wish = Wish(
            profile=ProfileCode.MINIMUM,
            recipient="Board",
            purpose="Inspection",
            first_date=day_of(call_id),
            last_date=day_of(call_id),
        )
        request_export(
            export_id=export_id, site=make_site(), wish=wish, by=officer, at=datetime.now(UTC)
        )
        at_once(export_waiting, lambda: _reopen_and_change(call_id, sue, number))  # noqa: B023
        export = AuditExport.objects.get(pk=export_id)
        if export.state != ExportState.DONE:
            # The call moved under it: it is built again, as every failed one is.
            export_waiting()
            export.refresh_from_db()
        assert export.state == ExportState.DONE, export.failure
        assert verify(call_id) == []
        included += export.universe.get(str(call_id)) == "included"
        assert "included" not in {
            why for one, why in export.universe.items() if one != str(call_id)
        }
    return included


def _reopen_and_change(call_id: UUID, sue: Signer, number: int) -> None:
    reopen_call(call_id=call_id, reason="why", by=sue.user, at=moment(number))
    leave(call_id)
    act(call_id, Ask(Kind.CONFIRM, "PID"), sue.user, at=moment(number))
