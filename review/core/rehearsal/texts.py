"""Reference texts of the codes that a rehearsal gives, and all texts together."""

from __future__ import annotations

from collections.abc import Mapping

from catalogs.core.linter.texts import ENTRIES, Entry

REHEARSAL: tuple[Entry, ...] = (
    Entry(
        "E503",
        "The rules pass a fail example of the rubric.",
        "What people are told does not count is credited by the machine.",
        "Tighten the matcher (speaker, words, unless), or correct the example.",
    ),
    Entry(
        "W504",
        "The rules miss a pass example of the rubric.",
        "Good calls would be sent to a person, or fail, for words that are known.",
        "Widen the matcher, or correct the example.",
    ),
    Entry(
        "E520",
        "A file of sentences that belongs to another catalog, or names an unknown phase.",
        "Its sentences would be run by nobody.",
        "Correct the catalog or the phase id in the file.",
    ),
    Entry(
        "E521",
        "The rules pass a near miss.",
        "Words that look right and do not count would finish the phase.",
        "Tighten the matcher, or move the sentence to satisfies where it does count.",
    ),
    Entry(
        "W522",
        "Satisfying paraphrases are missed.",
        "Recall on new calls will be about as low as the share that is recognised here.",
        "Widen the matchers of the items, or accept it: missed rows go to a person.",
    ),
    Entry(
        "W523",
        "Starting paraphrases are missed.",
        "A late start can hide that a critical edge was broken.",
        "Widen the starts of the phase.",
    ),
    Entry(
        "E524",
        "An example that cannot be told apart into turns.",
        "It is run nowhere, so it proves nothing.",
        "Begin each turn with a declared label and a colon; keep other words with colons small.",
    ),
    Entry(
        "W525",
        "Few sentences for a phase.",
        "A handful says little about how people really put it.",
        "Write a dozen starts, a dozen that satisfy and half a dozen near misses.",
    ),
    Entry(
        "E702",
        "A test came out otherwise than expected.",
        "Either the rules or the expectation are wrong; both would mislead.",
        "Read what was got and what was wanted; correct the catalog or the test.",
    ),
    Entry(
        "W703",
        "A critical edge was not seen both safe and unsafe.",
        "An edge that no test has broken may never fire.",
        "Add a call, or a variant of one, that shows the other side.",
    ),
    Entry(
        "W704",
        "A condition was not seen both true and false.",
        "One of its branches has never been tried.",
        "Add a call for the other branch.",
    ),
    Entry(
        "W705",
        "No test passes the phase.",
        "Its rules may be impossible to meet.",
        "Add a call in which the phase is done as it should be.",
    ),
    Entry(
        "W706",
        "A wrong change of the catalog that nothing notices.",
        "The rule it changes could be lost in an edit without any test failing.",
        "Add a test, a variant or a sentence that comes out otherwise under the change.",
    ),
    Entry(
        "E707",
        "A call of a test is missing or cannot be read.",
        "The test does not run.",
        "Put the file where tests are looked up, correct the id, or mend the call.",
    ),
    Entry(
        "E708",
        "An expectation that cannot be understood.",
        "It would be compared with nothing, and the test would pass.",
        "Write one of the keys and values that the finding names.",
    ),
    Entry(
        "W709",
        "A test that expects nothing.",
        "It runs and proves nothing.",
        "Add expect, or variants: all with a variant that is for this catalog.",
    ),
)

#: The reference text of every code, by code, in the order of their numbers.
REFERENCE: Mapping[str, Entry] = {
    entry.code: entry for entry in sorted((*ENTRIES, *REHEARSAL), key=lambda entry: entry.code[1:])
}
