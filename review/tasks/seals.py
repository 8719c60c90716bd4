"""The sealer's task: signed checkpoints over the decision log, every minute."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from celery import shared_task
from django.db import DatabaseError

from oipsce_site.ledger.checkpoints import UnableToSeal, seal_heads
from oipsce_site.signing.store import SigningKeyError
from review.queries.chains import sites_of_chains
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)


@shared_task(name="review.seal_log", base=Job, acks_late=True)
def seal_log(**_: object) -> int | None:
    """Seal what grew; returns the size of the tree, None where there was nothing to do.

    A refusal, or a database that is full or away, is an error line of the log: a person must look,
    and it comes again every minute.
    """
    try:
        seal = seal_heads(place=sites_of_chains, at=datetime.now(UTC))
    except (UnableToSeal, SigningKeyError) as refusal:
        # Its sentence names chains, files and clocks, never words of a call.
        logger.error("the decision log was not sealed: %s", refusal)
        return None
    except DatabaseError as error:
        logger.error("the decision log was not sealed: the database failed, %s", _name(error))
        return None
    return None if seal is None else seal.size


def _name(error: DatabaseError) -> str:
    """Return which error it is: its message may quote what it choked on."""
    return type(error.__cause__ or error).__name__
