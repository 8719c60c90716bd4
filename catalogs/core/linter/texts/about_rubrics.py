"""Reference texts: what reviewers read about a phase (E501-W509)."""

from catalogs.core.linter.texts.entry import Entry

RUBRICS: tuple[Entry, ...] = (
    Entry(
        "E501",
        "Fewer than two examples on a side.",
        "One sentence shows a case, two show a rule.",
        "Add pass and fail examples until there are two or three of each.",
    ),
    Entry(
        "W502",
        "More than three examples on a side.",
        "A long list is not read; further sentences belong into the companion file.",
        "Keep the two or three that teach most.",
    ),
    Entry(
        "E505",
        "An example that looks like real personal data.",
        "A catalog is shown to many people and kept for ever.",
        "Invent a number, name or address that nobody can have.",
    ),
    Entry(
        "W506",
        "What is to be read about a phase does not fit a page.",
        "Reviewers look at it while they work on a call.",
        "Shorten texts and examples.",
    ),
    Entry(
        "W507",
        "No counterexample.",
        "What looks right and does not count is where raters disagree.",
        "Name at least one such case.",
    ),
    Entry(
        "E508",
        "One sentence is a pass and a fail example.",
        "It cannot be both.",
        "Decide, and reword the other.",
    ),
    Entry(
        "W509",
        "An intent over 200 characters.",
        "The intent is the one line that stands beside every row.",
        "Say it shorter; details belong into items and counterexamples.",
    ),
)
