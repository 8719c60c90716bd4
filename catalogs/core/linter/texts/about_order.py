"""Reference texts: the order of phases and its critical edges (W201-W213, E422, W424)."""

from catalogs.core.linter.texts.entry import Entry

ORDER: tuple[Entry, ...] = (
    Entry(
        "W201",
        "More than one edge in ten is critical.",
        "Each critical edge sends rows to a person; with many of them none gets a careful look.",
        "Keep the edges whose reversal does harm, or waive the warning with a reason.",
    ),
    Entry(
        "E202",
        "A parent that is no phase.",
        "The edge would hold nothing back.",
        "Name a phase of this catalog.",
    ),
    Entry(
        "E203",
        "A critical parent that parents does not list.",
        "A critical edge is one of the edges of the order, not a second order.",
        "Add the phase to parents.",
    ),
    Entry(
        "E204",
        "Phases that must each come before the other.",
        "No call could keep this order.",
        "Take one parent out of the cycle that the finding shows.",
    ),
    Entry(
        "E205",
        "A critical edge without a rationale.",
        "The sentence is what a reviewer reads beside a violation.",
        "Say in one sentence who is harmed when the order is broken.",
    ),
    Entry(
        "E206",
        "A critical edge that cites nothing.",
        "A rule that fails calls must rest on something that can be looked up.",
        "Add sources: [ID] from the sources of the catalog.",
    ),
    Entry(
        "E207",
        'The policy "<=" on a phase that is not low_harm.',
        "It credits an order inside one turn that nobody has seen.",
        'Write "<", or state low_harm: true where that is so.',
    ),
    Entry(
        "E208",
        'The policy "<=" on an exact clock.',
        "Where every turn has its own time a tie is no matter of rounding.",
        'Write "<", or state clock: coarse where several turns share a time.',
    ),
    Entry(
        "W209",
        "A critical edge that rests on inference alone.",
        "Calls would fail for a rule that the author made up.",
        "Cite a regulation, guidance or a rule of the payer or site.",
    ),
    Entry(
        "W210",
        "A critical parent that may be not required, and the edge does not say what holds then.",
        "The edge binds all the same, which is rarely what an author has in mind.",
        "Write when: on the edge: always, or the condition under which it binds.",
    ),
    Entry(
        "W211",
        "A critical edge that others already imply.",
        "It adds reviews and findings, and no protection.",
        "Drop it.",
    ),
    Entry(
        "W212",
        "No critical edge at all.",
        "OrderSafe can then never fail, and its pass says nothing.",
        "Mark the edge that protects somebody, or waive the warning with a reason.",
    ),
    Entry(
        "W213",
        "A phase with neither parent nor child.",
        "Its place in the call is left open.",
        "Give it a parent or a child, or drop it.",
    ),
    Entry(
        "E422",
        "An edge per item between phases that repeat over different things.",
        "There are no pairs of items to compare.",
        "Write scope: call, or give both phases the same for_each.",
    ),
    Entry(
        "W424",
        "A gate that leaves open what early content is worth.",
        "Content said before the phase began would count at its own turn by default.",
        "Write ack_required: true, or volunteered: {accept, rationale}.",
    ),
)
