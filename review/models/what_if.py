"""What-ifs: which calls another catalog version would judge otherwise (design 4.6).

One row is one order of one person. Its calls lie in portions that workers take under leases, and
what comes out of a portion is stored with it: lines of calls, which are only added, and counts.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from catalogs.models import CatalogVersion, Draft
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models.call import HEX_DIGEST, Call
from review.models.listed import OutcomeCode


class WhatIfKind(models.TextChoices):
    """DECIDE: edges, requirements and precedence over stored rows. READ: anchors, items and phases
    over stored words.
    """

    DECIDE = "DECIDE", "decide again"
    READ = "READ", "read again"


class WhatIfState(models.TextChoices):
    """Where a what-if stands; FAILED is after the last attempt at one of its portions."""

    WAITING = "WAITING", "waiting"
    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"
    CANCELLED = "CANCELLED", "called off"
    FAILED = "FAILED", "given up"


OPEN_WHAT_IFS = (WhatIfState.WAITING, WhatIfState.RUNNING)


class ChangeCode(models.TextChoices):
    """`review.core.whatif.Change` as the database keeps it."""

    SAME = "SAME", "the same"
    PASS_TO_FAIL = "PASS_TO_FAIL", "pass to fail"
    FAIL_TO_PASS = "FAIL_TO_PASS", "fail to pass"
    TO_UNDETERMINED = "TO_UNDETERMINED", "to undetermined"
    FROM_UNDETERMINED = "FROM_UNDETERMINED", "from undetermined"


class WhatIf(models.Model):
    """One what-if over the calls of a site. What it is of never changes, and one that is over does
    not change at all (by trigger).

    - It was asked of text `number` of `draft`, or of `version`; `source` is that exact text.
    - Its calls are those judged by `catalog` (a slug) from `first_date` to `last_date`, as they
      were when it was asked for.
    - `done` of `calls` calls are behind it.
    - `result` is what `review.core.whatif.counts_to_json` writes, and `result_digest` is over it.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="what_ifs")
    kind = models.CharField(max_length=8, choices=WhatIfKind.choices)
    state = models.CharField(max_length=12, choices=WhatIfState.choices)
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="+", null=True)
    number = models.PositiveIntegerField(default=0)
    version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, related_name="+", null=True
    )
    source = models.BinaryField()
    title = models.CharField(max_length=300)
    document_digest = models.CharField(max_length=64, db_index=True)
    catalog = models.CharField(max_length=64)
    first_date = models.DateField(null=True)
    last_date = models.DateField(null=True)
    engine = models.CharField(max_length=64)
    calls = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    role = models.CharField(max_length=32, choices=Role.choices)
    asked_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    result_digest = models.CharField(max_length=64, blank=True, default="")
    failure = models.TextField(blank=True, default="")

    class Meta:
        ordering: ClassVar[list[str]] = ["-asked_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="whatif_codes_known",
                condition=Q(
                    kind__in=WhatIfKind.values,
                    state__in=WhatIfState.values,
                    document_digest__regex=HEX_DIGEST,
                ),
            ),
            models.CheckConstraint(
                name="whatif_of_one_text",
                condition=Q(draft__isnull=False, version__isnull=True, number__gte=1)
                | Q(draft__isnull=True, version__isnull=False, number=0),
            ),
            models.CheckConstraint(
                name="whatif_over_as_state_says",
                condition=Q(state__in=OPEN_WHAT_IFS, ended_at__isnull=True)
                | (~Q(state__in=OPEN_WHAT_IFS) & Q(ended_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="whatif_done_has_result",
                condition=Q(state="DONE", result__isnull=False, result_digest__regex=HEX_DIGEST)
                | (~Q(state="DONE") & Q(result__isnull=True, result_digest="")),
            ),
            models.CheckConstraint(
                name="whatif_done_within_calls", condition=Q(done__lte=F("calls"), calls__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"what-if {self.id}"


class WhatIfPortion(models.Model):
    """Some calls of a what-if, in a worker's hands at once. `attempts` fences (docs/adr/0013)."""

    id = models.BigAutoField(primary_key=True)
    what_if = models.ForeignKey(
        WhatIf, on_delete=models.PROTECT, db_index=False, related_name="portions"
    )
    position = models.PositiveIntegerField()
    calls = ArrayField(models.UUIDField())
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    counts = models.JSONField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="whatifportion_waiting", fields=["id"], condition=Q(counts__isnull=True)
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="whatifportion_once", fields=["what_if", "position"]),
            models.CheckConstraint(
                name="whatifportion_done_is_free",
                condition=Q(counts__isnull=True) | Q(lease_until__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"portion {self.position} of {self.what_if_id}"


class WhatIfLine(models.Model):
    """A call that comes out otherwise (insert-only): codes and turn numbers, never words.

    `rows` and `edges` are lists of [name, turn, before, after] as in `review.core.whatif.Turned`.
    """

    id = models.BigAutoField(primary_key=True)
    what_if = models.ForeignKey(
        WhatIf, on_delete=models.PROTECT, db_index=False, related_name="lines"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+")
    change = models.CharField(max_length=20, choices=ChangeCode.choices)
    signed = models.BooleanField()
    before = models.CharField(max_length=16, choices=OutcomeCode.choices)
    after = models.CharField(max_length=16, choices=OutcomeCode.choices)
    rows = models.JSONField()
    edges = models.JSONField()
    annotate = models.JSONField()
    lost = models.JSONField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="whatifline_by_change", fields=["what_if", "change", "id"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="whatifline_once", fields=["what_if", "call"]),
            models.CheckConstraint(
                name="whatifline_codes_known",
                condition=Q(
                    change__in=ChangeCode.values,
                    before__in=OutcomeCode.values,
                    after__in=OutcomeCode.values,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.call_id} in {self.what_if_id}"
