"""Calls as stored: sealed turns and events, proposals, rows, evaluations."""

from review.models.audit_export import AuditExport, AuditPiece, ExportState, ProfileCode
from review.models.batch import BatchState, ImportBatch, ImportFile, ImportLine, LineWord
from review.models.calibration import (
    CalibrationCall,
    CalibrationDecision,
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    RoundKind,
    RoundStateCode,
)
from review.models.call import Call, State
from review.models.decision import Decision, DecisionKind
from review.models.evaluation import Evaluation, EvidenceCommitment
from review.models.listed import OutcomeCode, QueueClassCode
from review.models.notice import HoldNotice, NoticeKind
from review.models.proposal import PrefillRun, ProposedRow, RunState
from review.models.reveal import Reveal, RevealWhy
from review.models.role_map import RoleMap
from review.models.row import PhaseRow, PointState, RequiredCode, StandingCode, VerdictCode
from review.models.signing import ProofKind, SigningIntent, SigningProof
from review.models.signoff import SignOff, VoidWhy
from review.models.transcript import CallNote, NoteKind, RevisionWhy, TranscriptRevision
from review.models.turn import Event, EventSourceCode, Turn, TurnKindCode
from review.models.worker import WorkerBeat

__all__ = [
    "AuditExport",
    "AuditPiece",
    "BatchState",
    "CalibrationCall",
    "CalibrationDecision",
    "CalibrationRater",
    "CalibrationRating",
    "CalibrationRound",
    "Call",
    "CallNote",
    "Decision",
    "DecisionKind",
    "Evaluation",
    "Event",
    "EventSourceCode",
    "EvidenceCommitment",
    "ExportState",
    "HoldNotice",
    "ImportBatch",
    "ImportFile",
    "ImportLine",
    "LineWord",
    "NoteKind",
    "NoticeKind",
    "OutcomeCode",
    "PhaseRow",
    "PointState",
    "PrefillRun",
    "ProfileCode",
    "ProofKind",
    "ProposedRow",
    "QueueClassCode",
    "RequiredCode",
    "Reveal",
    "RevealWhy",
    "RevisionWhy",
    "RoleMap",
    "RoundKind",
    "RoundStateCode",
    "RunState",
    "SignOff",
    "SigningIntent",
    "SigningProof",
    "StandingCode",
    "State",
    "TranscriptRevision",
    "Turn",
    "TurnKindCode",
    "VerdictCode",
    "VoidWhy",
    "WorkerBeat",
]
