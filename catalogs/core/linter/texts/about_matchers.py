"""Reference texts: patterns, speakers, events and the policies of a phase (E401-E426)."""

from catalogs.core.linter.texts.entry import Entry

MATCHERS: tuple[Entry, ...] = (
    Entry(
        "E401",
        "A pattern that RE2 refuses.",
        "Only patterns that are fast on every text are run on calls.",
        "Say with unless what must not stand there; write repeated words out; mind brackets.",
    ),
    Entry(
        "E402",
        "A pattern that matches without a single character.",
        "Every turn would hit.",
        "Require at least one word.",
    ),
    Entry(
        "E403",
        "A matcher on words without a speaker.",
        "The phone menu, or the wrong side of the call, would count as the person meant.",
        "Add by: [role].",
    ),
    Entry(
        "E404",
        "A role that speakers does not declare.",
        "No turn has it, so the matcher would never hit.",
        "Declare the role or correct its name.",
    ),
    Entry(
        "E405",
        "An event, or a field of one, that events does not declare.",
        "The matcher would never hit.",
        "Declare the event with its fields, or correct the name.",
    ),
    Entry(
        "E406",
        "The child of a critical edge has no start of its own.",
        "An inferred start is the first evidence, which may lie after the harm was done.",
        "Add starts.",
    ),
    Entry(
        "W407",
        "A matcher that listens to the phone menu or to markers.",
        "Words of a machine prove nothing about the conversation.",
        "Leave only the people whose words count under by.",
    ),
    Entry(
        "W408",
        "A pattern with .* or .+.",
        "It joins words from anywhere in a turn.",
        "Bound the gap, as in .{0,40}.",
    ),
    Entry(
        "W409",
        "One start that opens two phases.",
        "The order of the two can then never be told.",
        "Make one of them more specific.",
    ),
    Entry(
        "E410",
        "for_each over something that is no list input.",
        "There would be no items to owe the phase for.",
        "Declare the attribute as list under inputs, or name another.",
    ),
    Entry(
        "W411",
        "Early content needs an acknowledgement that nothing recognises.",
        "It could never be credited.",
        "Add ack to the items, or drop ack_required.",
    ),
    Entry(
        "E412",
        "A share outside 0 to 1.",
        "The graded score could never reach it, or always would.",
        "Write a share above 0 and up to 1.",
    ),
    Entry(
        "E413",
        "A graded score that is meant to decide.",
        "Scores are shown beside a verdict and never make one.",
        "Remove decisional.",
    ),
    Entry(
        "E414",
        "A question without the roles that may answer it.",
        "The asker's own next sentence would count as the answer.",
        "Add answer_by: [role].",
    ),
    Entry(
        "E415",
        "A limit in seconds on a coarse clock.",
        "Where several turns share a time the limit cannot be told.",
        "Drop the limit, or state clock: exact where that is so.",
    ),
    Entry(
        "W416",
        "A phase without a start.",
        "Its start will be inferred from the first evidence and sent to a person.",
        "Add starts.",
    ),
    Entry(
        "W417",
        "One acknowledgement for several items.",
        "A single phrase would credit all of them.",
        "Put ack on the item that the phrase takes up.",
    ),
    Entry(
        "E418",
        "Another finish than all_accepted or any_accepted.",
        "The engine would not know when the phase is done.",
        "Write one of the two.",
    ),
    Entry(
        "E419",
        "A gate that the audited agent's own event could open.",
        "Who is audited would vouch for themselves.",
        "Use what the other side says, or an event that the agent does not write.",
    ),
    Entry(
        "E420",
        "A pattern too large to search fast.",
        "One such pattern slows every call down.",
        "Split it, or lower its counted repeats.",
    ),
    Entry(
        "E421",
        "Grading without its threshold.",
        "A score says nothing without the share that is enough.",
        "Add tau, such as 0.8.",
    ),
    Entry(
        "W423",
        "Letters outside ASCII in a pattern with \\b, \\w or \\d.",
        "These know plain a to z and 0 to 9 only, so the pattern misses words with accents.",
        "Write spaces, or [^ ], around such words.",
    ),
    Entry(
        "E425",
        "The value of a fact is read by a pattern without a group named value.",
        "Nobody could tell which part of the words is the value.",
        "Put the value in (?P<value>...).",
    ),
    Entry(
        "E426",
        "A fact cuts words, not a number, out of what was said.",
        "Facts are stored with the verdict, where no text of a call may lie.",
        "Cut out a number, or ask yes or no with true_if.",
    ),
)
