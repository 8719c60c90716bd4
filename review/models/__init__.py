"""Calls as stored: sealed turns and events, proposals, rows, evaluations."""

from review.models.batch import BatchState, ImportBatch, ImportFile, ImportLine, LineWord
from review.models.call import Call, State
from review.models.evaluation import Evaluation, EvidenceCommitment
from review.models.listed import OutcomeCode
from review.models.proposal import PrefillRun, ProposedRow, RunState
from review.models.row import PhaseRow, PointState, RequiredCode, VerdictCode
from review.models.turn import Event, EventSourceCode, Turn, TurnKindCode
from review.models.worker import WorkerBeat

__all__ = [
    "BatchState",
    "Call",
    "Evaluation",
    "Event",
    "EventSourceCode",
    "EvidenceCommitment",
    "ImportBatch",
    "ImportFile",
    "ImportLine",
    "LineWord",
    "OutcomeCode",
    "PhaseRow",
    "PointState",
    "PrefillRun",
    "ProposedRow",
    "RequiredCode",
    "RunState",
    "State",
    "Turn",
    "TurnKindCode",
    "VerdictCode",
    "WorkerBeat",
]
