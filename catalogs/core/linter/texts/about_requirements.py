"""Reference texts: conditions and the facts they read (E301-E310)."""

from catalogs.core.linter.texts.entry import Entry

REQUIREMENTS: tuple[Entry, ...] = (
    Entry(
        "E301",
        "An expression that cannot be read.",
        "Whether the phase is owed, or the edge binds, could not be told.",
        "Correct it at the character that the finding names; the words are and, or, not, in.",
    ),
    Entry(
        "E302",
        "An expression, or the facts of a phase, that name what is not declared.",
        "A misspelt name is unknown on every call, and unknown blocks every verdict.",
        "Declare the name under facts or inputs, or correct it.",
    ),
    Entry(
        "E303",
        "Conditions that read each other.",
        "Neither can be told before the other.",
        "Cut one link of the cycle that the finding shows.",
    ),
    Entry(
        "E304",
        "A fact whose phase does not exist.",
        "Nobody would ever yield it.",
        "Name a phase of this catalog under from.",
    ),
    Entry(
        "W305",
        "A fact decides whether a phase is required, and nobody is asked when it is unknown.",
        "The row would stay open without anybody being told.",
        "Write unknown: review.",
    ),
    Entry(
        "W306",
        "A condition that reads the outcome of a later phase.",
        "While the call runs nobody can know yet whether the phase is owed.",
        "Ask whether the later phase started, or turn the dependency round.",
    ),
    Entry(
        "W307",
        "A condition that is the same on every call.",
        "It looks like a branch and is none.",
        "Write always or optional.",
    ),
    Entry(
        "E308",
        "No phase is always required.",
        "An empty call would owe nothing and could pass.",
        "Require at least one phase always.",
    ),
    Entry(
        "W309",
        "A fact that nothing uses.",
        "It costs reading and decides nothing.",
        "List it under the facts of its phase, read it in a condition, or drop it.",
    ),
    Entry(
        "E310",
        "An acceptance item that depends on more than call attributes.",
        "What a phase asks for must be known before the call is read.",
        "Use declared call attributes only, or make two phases of it.",
    ),
)
