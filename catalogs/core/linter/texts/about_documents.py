"""Reference texts: what loading says of a file and its shape (E101-W120)."""

from catalogs.core.linter.texts.entry import Entry

DOCUMENTS: tuple[Entry, ...] = (
    Entry(
        "E101",
        "A key that the format does not have.",
        "A misspelt key would be passed over, and the rule it meant would silently not hold.",
        "Take the spelling that the finding suggests, or remove the key.",
    ),
    Entry(
        "E102",
        "A key that must be there is missing or empty.",
        "Without it a reviewer, or the engine, would have to guess.",
        "Add the key with a value.",
    ),
    Entry(
        "E103",
        "The same key twice in one place.",
        "Most YAML readers keep the last one without a word; the first author is not heard.",
        "Keep one of the two.",
    ),
    Entry(
        "E104",
        "Two phases with one id.",
        "Edges, conditions and rows name phases by their ids.",
        "Rename one phase.",
    ),
    Entry(
        "E105",
        "A name of the wrong shape.",
        "Names are read in conditions and on pages; only plain ones can be told from words there.",
        "Phases: 2 to 24 capitals, digits and _. Facts, roles: small letters, digits and _.",
    ),
    Entry(
        "E106",
        "Another format than the one this program reads.",
        "The same key may mean something else in another format.",
        "Write the format that the finding names.",
    ),
    Entry(
        "E107",
        "A version that is not three numbers.",
        "The step between two versions says how grave a change is.",
        "Write three numbers with dots, such as 1.0.0.",
    ),
    Entry(
        "E108",
        "A window that ends before it begins.",
        "No call could be judged by this version.",
        "Correct effective.from or effective.to.",
    ),
    Entry(
        "E109",
        "An acceptance item without a word as id, without a text, or with an id used twice.",
        "Evidence is filed by item. An unquoted yes or no is a truth value, not a word.",
        "Give every item an id of its own in small letters, and say in text what it asks.",
    ),
    Entry(
        "E110",
        "The file is too large.",
        "A catalog is read by people; and a cap keeps a bad file from stopping the program.",
        "Split the catalog.",
    ),
    Entry(
        "E111",
        "The file is not UTF-8, or starts with a byte order mark.",
        "Other encodings change letters without anybody noticing.",
        "Save the file as UTF-8 without a byte order mark.",
    ),
    Entry(
        "E112",
        "The file is not YAML, is empty, or holds several documents.",
        "Nothing can be read from it.",
        "Check indent, quotes and brackets around the line; keep one document per file.",
    ),
    Entry(
        "E113",
        "Control characters, or half of a character.",
        "They are invisible in review and can hide words.",
        "Remove them and type the text again.",
    ),
    Entry(
        "E114",
        "Too many values, values nested too deep, a line too long, or too many problems.",
        "The caps hold before anything is built, so that no file can exhaust the program.",
        "Flatten, break or split what the finding names; mend the first problems and try again.",
    ),
    Entry(
        "E115",
        "An anchor, an alias, a merge key, a tag or a directive.",
        "A reviewer must be able to read a phase as it stands, without following references.",
        "Write the values out.",
    ),
    Entry(
        "E116",
        "A number or date that readers take differently, or no day of the calendar.",
        "012, 1e5 or 1:30 are different values to different YAML readers.",
        "Write plain digits, a date as year-month-day, or put quotes around the text.",
    ),
    Entry(
        "E117",
        "Another kind of value than expected: a list, a text, a date.",
        "The rule it belongs to cannot be read.",
        "Write the kind of value that the finding names; often quotes or [ ] are missing.",
    ),
    Entry(
        "E118",
        "A value that is none of those allowed.",
        "A policy that the engine does not know would not be applied.",
        "Choose one of the values that the finding lists.",
    ),
    Entry(
        "E119",
        "Keys that do not go together.",
        "A matcher is of one kind, and a fact is read in one way; two would contradict.",
        "Keep the one that decides and remove the keys that belong to the other.",
    ),
    Entry(
        "W120",
        "A comma has cut a sentence in two.",
        "Inside { } a comma ends a value; the rest reads as a key of its own.",
        "Put quotes around the whole sentence.",
    ),
)
