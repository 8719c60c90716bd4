"""Import batches: files as they came, sealed until they are read, and what became of each call."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models.call import HEX_DIGEST, Call


class BatchState(models.TextChoices):
    """Where a batch stands; PAUSED is a person's wish, FAILED is after the last attempt."""

    QUEUED = "QUEUED", "waiting"
    RUNNING = "RUNNING", "importing"
    PAUSED = "PAUSED", "paused"
    DONE = "DONE", "done"
    FAILED = "FAILED", "failed"


class LineWord(models.TextChoices):
    """What became of one call of a batch."""

    CREATED = "CREATED", "created"
    UNCHANGED = "UNCHANGED", "unchanged"
    CHANGED = "CHANGED", "changed"
    REFUSED = "REFUSED", "refused"


class ImportBatch(models.Model):
    """Files that one person handed in at one time, read in the background, call by call.

    - `cursor` counts the lines that are stored: who resumes begins there. It moves in the
      transaction that stores the lines.
    - `attempts` fences, as in `PrefillRun`: it grows with each worker that takes the batch, and a
      worker whose number is old stores nothing. `losses` counts the attempts in a row that stored
      nothing.
    - `parts` counts files and the files inside archives, `parts_done` those read to their end, and
      `in_part` the lines stored of the next one;
      `expected` is how many calls the parts opened so far hold.
    - `confirm_roles` and `new_revision` are what the importer decided beforehand, as
      `review.actions.portions.Asked`.
    - `role` is the one in which `received_by` acted; both are empty for the machine's operator.
    - `wrapped_key` seals the files; it is emptied, and they with it, when the batch is done.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="batches")
    name = models.TextField()
    form = models.CharField(max_length=100, blank=True, default="")
    confirm_roles = models.BooleanField(default=False, db_default=False)
    new_revision = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=8, choices=BatchState.choices)
    attempts = models.PositiveIntegerField(default=0)
    losses = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    cursor = models.PositiveIntegerField(default=0)
    expected = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField()
    parts_done = models.PositiveIntegerField(default=0)
    in_part = models.PositiveIntegerField(default=0)
    failure = models.TextField(blank=True, default="")
    wrapped_key = models.BinaryField(max_length=400)
    received_at = models.DateTimeField()
    received_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    role = models.CharField(max_length=32, choices=Role.choices, blank=True, default="")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="importbatch_latest", fields=["site", "-received_at"]),
            models.Index(
                name="importbatch_waiting",
                fields=["received_at"],
                condition=Q(state__in=("QUEUED", "RUNNING")),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="importbatch_state_known", condition=Q(state__in=BatchState.values)
            ),
            models.CheckConstraint(
                name="importbatch_lease_iff_running",
                condition=Q(state="RUNNING", lease_until__isnull=False)
                | (~Q(state="RUNNING") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="importbatch_finished_iff_over",
                condition=Q(state__in=("DONE", "FAILED"), finished_at__isnull=False)
                | (~Q(state__in=("DONE", "FAILED")) & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="importbatch_failed_says_why",
                condition=~Q(state="FAILED") | Q(failure__regex=r"\S"),
            ),
            models.CheckConstraint(
                name="importbatch_person_has_role",
                condition=Q(received_by__isnull=True, role="")
                | Q(received_by__isnull=False, role__in=Role.values),
            ),
            models.CheckConstraint(
                name="importbatch_parts_counted", condition=Q(parts_done__lte=F("parts"))
            ),
        ]

    def __str__(self) -> str:
        return f"batch {self.id}"


class ImportFile(models.Model):
    """One file of a batch. `sealed` opens at slot ``file:POSITION``; emptied when it is read."""

    id = models.BigAutoField(primary_key=True)
    batch = models.ForeignKey(ImportBatch, on_delete=models.PROTECT, related_name="files")
    position = models.PositiveIntegerField()
    name = models.TextField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    sealed = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="importfile_once", fields=["batch", "position"]),
            models.CheckConstraint(
                name="importfile_digest_form", condition=Q(sha256__regex=HEX_DIGEST)
            ),
        ]

    def __str__(self) -> str:
        return f"file {self.position} of {self.batch_id}"


class ImportLine(models.Model):
    """What became of one call of a batch: the word, the place in the file, and the sentence."""

    id = models.BigAutoField(primary_key=True)
    batch = models.ForeignKey(
        ImportBatch, on_delete=models.PROTECT, db_index=False, related_name="lines"
    )
    position = models.PositiveIntegerField()
    word = models.CharField(max_length=9, choices=LineWord.choices)
    place = models.TextField()
    sentence = models.TextField(blank=True, default="")
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="lines", null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="importline_once", fields=["batch", "position"]),
            models.CheckConstraint(
                name="importline_word_known", condition=Q(word__in=LineWord.values)
            ),
            models.CheckConstraint(
                name="importline_call_unless_refused",
                condition=Q(word="REFUSED", call__isnull=True, sentence__regex=r"\S")
                | (~Q(word="REFUSED") & Q(call__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.position} of {self.batch_id}"
