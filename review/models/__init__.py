"""Calls as stored: sealed turns and events, proposals, rows, evaluations."""

from review.models.adjudication import Asking, AskingState, ModelRequest, Suggestion
from review.models.alert import Alert, Delivery, DeliveryState
from review.models.attestation import Attestation
from review.models.audit_export import AuditExport, AuditFetch, AuditPiece, ExportState, ProfileCode
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
from review.models.candidates import CandidateSearch, CandidateTurns, CatalogWording
from review.models.decision import Decision, DecisionKind
from review.models.dispute import Dispute, DisputedResult, DisputeEnd, DisputeKind
from review.models.evaluation import Evaluation, EvidenceCommitment
from review.models.exception import ComplianceException, ExceptionReason
from review.models.listed import OutcomeCode, QueueClassCode, SecondCode
from review.models.log_check import CheckState, LogCheck
from review.models.notice import HoldNotice, NoticeKind
from review.models.promotion import (
    OPEN_MODEL_CHECKS,
    CheckedRow,
    EndedWhy,
    ModelCheck,
    ModelCheckState,
    Promotion,
    SaidCode,
)
from review.models.proposal import PrefillRun, ProposedRow, RunState
from review.models.reading import (
    Reading,
    ReadingAnswer,
    ReadingEnd,
    ReadingKindCode,
    ReadingState,
    SiteShares,
)
from review.models.retention import Erasure, ErasureState, Ground, LegalHold, RetentionRule
from review.models.reveal import Reveal, RevealWhy
from review.models.role_map import RoleMap
from review.models.row import PhaseRow, PointState, RequiredCode, StandingCode, VerdictCode
from review.models.running import ApiAnswer, ApiReceipt, LiveCode, RunningCall, RunningPart
from review.models.shadow import ShadowLine, ShadowRun, ShadowState
from review.models.signed_line import SelectionCode, SignedLine
from review.models.signing import ProofKind, SigningIntent, SigningProof
from review.models.signoff import SignOff, VoidWhy
from review.models.transcript import CallNote, NoteKind, RevisionWhy, TranscriptRevision
from review.models.turn import Event, EventSourceCode, Turn, TurnKindCode
from review.models.what_if import (
    OPEN_WHAT_IFS,
    ChangeCode,
    WhatIf,
    WhatIfKind,
    WhatIfLine,
    WhatIfPortion,
    WhatIfState,
)
from review.models.worker import WorkerBeat

__all__ = [
    "OPEN_MODEL_CHECKS",
    "OPEN_WHAT_IFS",
    "Alert",
    "ApiAnswer",
    "ApiReceipt",
    "Asking",
    "AskingState",
    "Attestation",
    "AuditExport",
    "AuditFetch",
    "AuditPiece",
    "BatchState",
    "CalibrationCall",
    "CalibrationDecision",
    "CalibrationRater",
    "CalibrationRating",
    "CalibrationRound",
    "Call",
    "CallNote",
    "CandidateSearch",
    "CandidateTurns",
    "CatalogWording",
    "ChangeCode",
    "CheckState",
    "CheckedRow",
    "ComplianceException",
    "Decision",
    "DecisionKind",
    "Delivery",
    "DeliveryState",
    "Dispute",
    "DisputeEnd",
    "DisputeKind",
    "DisputedResult",
    "EndedWhy",
    "Erasure",
    "ErasureState",
    "Evaluation",
    "Event",
    "EventSourceCode",
    "EvidenceCommitment",
    "ExceptionReason",
    "ExportState",
    "Ground",
    "HoldNotice",
    "ImportBatch",
    "ImportFile",
    "ImportLine",
    "LegalHold",
    "LineWord",
    "LiveCode",
    "LogCheck",
    "ModelCheck",
    "ModelCheckState",
    "ModelRequest",
    "NoteKind",
    "NoticeKind",
    "OutcomeCode",
    "PhaseRow",
    "PointState",
    "PrefillRun",
    "ProfileCode",
    "Promotion",
    "ProofKind",
    "ProposedRow",
    "QueueClassCode",
    "Reading",
    "ReadingAnswer",
    "ReadingEnd",
    "ReadingKindCode",
    "ReadingState",
    "RequiredCode",
    "RetentionRule",
    "Reveal",
    "RevealWhy",
    "RevisionWhy",
    "RoleMap",
    "RoundKind",
    "RoundStateCode",
    "RunState",
    "RunningCall",
    "RunningPart",
    "SaidCode",
    "SecondCode",
    "SelectionCode",
    "ShadowLine",
    "ShadowRun",
    "ShadowState",
    "SignOff",
    "SignedLine",
    "SigningIntent",
    "SigningProof",
    "SiteShares",
    "StandingCode",
    "State",
    "Suggestion",
    "TranscriptRevision",
    "Turn",
    "TurnKindCode",
    "VerdictCode",
    "VoidWhy",
    "WhatIf",
    "WhatIfKind",
    "WhatIfLine",
    "WhatIfPortion",
    "WhatIfState",
    "WorkerBeat",
]
