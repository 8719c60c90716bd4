"""Reference texts: who answers for a catalog, and its versions (E601-W801)."""

from catalogs.core.linter.texts.entry import Entry

GOVERNANCE: tuple[Entry, ...] = (
    Entry(
        "E601",
        "The owner has no name or no contact.",
        "Somebody must be asked when a rule is disputed.",
        "Add owner: {name, contact}.",
    ),
    Entry(
        "E602",
        "Published without an approver who is no author.",
        "Nobody may put rules into force alone.",
        "Have a second person approve.",
    ),
    Entry(
        "E603",
        "An approval of other content.",
        "The digest shows that something was changed after the approval.",
        "Ask for approval again.",
    ),
    Entry(
        "E604",
        "The change log does not start with this version.",
        "A reader could not tell what is new.",
        "Add an entry for this version at the top.",
    ),
    Entry(
        "W605",
        "The review of the catalog is overdue.",
        "Rules and regulations change; a date was set to look again.",
        "Review the catalog and move review_by.",
    ),
    Entry(
        "E606",
        "A waiver without reason, person or last day, or past its last day.",
        "A warning may be set aside for a while and by somebody, not for ever by nobody.",
        "Complete the waiver, renew it, or drop it and mend what it hides.",
    ),
    Entry(
        "E607",
        "Two versions of one catalog are in force on the same day.",
        "A call is judged by exactly one version; with two it goes to a person instead.",
        "Let the older one end (effective.to) the day before the newer one begins.",
    ),
    Entry(
        "E608",
        "The version number rises less than the change asks.",
        "People tell from the number whether past verdicts may differ.",
        "Major for what can turn a verdict, minor for what can move a turn, patch for text.",
    ),
    Entry(
        "E609",
        "A phase of the version before is gone and nothing replaces it.",
        "Rates over time would break off without a word.",
        "Write replaces at the phase that follows it, or keep the phase as optional.",
    ),
    Entry(
        "E610",
        "An overlay asks less than the catalog it overlays.",
        "A site may add and tighten; sites that drop rules cannot be compared.",
        "Restore what the finding names, or change the base catalog.",
    ),
    Entry(
        "E611",
        "A source is cited that is not declared.",
        "Nobody could look it up.",
        "Declare it under sources, or correct the name.",
    ),
    Entry(
        "W612",
        "A declared source that nothing cites.",
        "It suggests a basis that no rule has.",
        "Cite it under basis or sources, or drop it.",
    ),
    Entry(
        "W613",
        "A phase without a basis.",
        "Nothing says why it is an obligation.",
        "Name its source under basis.",
    ),
    Entry(
        "E614",
        "Invisible, direction-changing or mixed-alphabet characters.",
        "A text can look like one thing to a reviewer and be another to the engine.",
        "Type the word again in one alphabet.",
    ),
    Entry(
        "W615",
        "An exemption that matches every turn.",
        "The matcher it belongs to can then never hit.",
        "Require a word in unless.",
    ),
    Entry(
        "E616",
        "An overlay whose base is not named, or not there.",
        "An overlay says only what differs; alone it judges nothing.",
        "Write extends: SLUG@MAJOR of a catalog that is there, or name its file with --base.",
    ),
    Entry(
        "E701",
        "No test.",
        "Nobody has shown that the rules find what they mean.",
        "Add a call with the rows that must come out.",
    ),
    Entry(
        "W801",
        "Several languages, and no matcher says which one it is for.",
        "A rate per language could not be trusted.",
        "Add lang to the matchers.",
    ),
)
