"""The pages of what-ifs: asked of a draft or a version, and what came out of one."""

from review.views.what_ifs.asking import what_ifs_of_draft, what_ifs_of_version
from review.views.what_ifs.found import what_if, what_if_cancel, what_if_file, what_if_progress

__all__ = [
    "what_if",
    "what_if_cancel",
    "what_if_file",
    "what_if_progress",
    "what_ifs_of_draft",
    "what_ifs_of_version",
]
