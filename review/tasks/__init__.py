"""Work for Celery. A message carries no id, it rings a bell; a task run twice is harmless.

What is to be done lies in our own tables; a task claims it there, under a lease. Every worker is
also rung for a `sweep` every ten seconds (`oipsce_site.celery`), which takes up what a lost worker
or an emptied broker left behind.
"""

from review.tasks.adjudications import adjudicate_waiting
from review.tasks.bells import (
    ring_for_adjudications,
    ring_for_candidates,
    ring_for_check,
    ring_for_draft_rehearsals,
    ring_for_exports,
    ring_for_imports,
    ring_for_model_checks,
    ring_for_prefills,
    ring_for_webhooks,
    ring_for_what_ifs,
)
from review.tasks.candidates import find_candidates
from review.tasks.exports import export_waiting
from review.tasks.imports import import_waiting
from review.tasks.log_checks import check_log
from review.tasks.model_checks import check_models
from review.tasks.prefills import prefill_waiting
from review.tasks.rehearsals import rehearse_drafts, rehearse_version
from review.tasks.retention import retain
from review.tasks.seals import seal_log
from review.tasks.shadows import shadow_waiting
from review.tasks.sweeps import sweep
from review.tasks.webhooks import send_webhooks
from review.tasks.what_ifs import what_if_waiting

__all__ = [
    "adjudicate_waiting",
    "check_log",
    "check_models",
    "export_waiting",
    "find_candidates",
    "import_waiting",
    "prefill_waiting",
    "rehearse_drafts",
    "rehearse_version",
    "retain",
    "ring_for_adjudications",
    "ring_for_candidates",
    "ring_for_check",
    "ring_for_draft_rehearsals",
    "ring_for_exports",
    "ring_for_imports",
    "ring_for_model_checks",
    "ring_for_prefills",
    "ring_for_webhooks",
    "ring_for_what_ifs",
    "seal_log",
    "send_webhooks",
    "shadow_waiting",
    "sweep",
    "what_if_waiting",
]
