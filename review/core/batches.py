"""What an import batch holds: files, archives of files, and in them calls, read part by part.

A part is a file, or a file inside a ZIP archive; an archive inside an archive is refused. Files
that hold one voice of a call each, as their names say, are one part together. Parts are read one
after the other, so that an archive is never in memory unpacked, and always in the same order, so
that an import that was cut short can go on where it stopped (formats.md 3a).
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalogs.core.findings import Finding
from review.core.parsers import ParseResult, findings_by_call, parse_calls, parse_voices
from review.core.transcript import MAX_BYTES, Call
from review.core.transcript.voice_files import group_voices

MAX_RATIO = 100
PORTION = 50
MAX_MEMBERS = 20_000
MAX_UNPACKED = 50 * MAX_BYTES
_WORKBOOK = "[Content_Types].xml"
_SIGNATURE = b"PK\x03\x04"

File = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Found:
    """One call of a part, or (call None) the sentence that says why something was not read."""

    place: str
    call: Call | None
    findings: Sequence[Finding] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or a file inside an archive, and everything found in it, refusals first."""

    name: str
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Portion:
    """What is stored together, and how far the batch is once it is.

    `parts_done` parts are then read to their end and `in_part` things found in the next one are
    stored; `newly_found` counts what the parts opened for this portion hold.
    """

    found: tuple[Found, ...]
    parts_done: int
    in_part: int
    newly_found: int


def read_portions(
    files: Sequence[File], *, form: str | None, parts_done: int, in_part: int
) -> Iterator[Portion]:
    """Yield what of a batch is not stored yet, a portion at a time; `files` are names and bytes.

    Small parts share a portion: ten thousand files of one call are not ten thousand transactions.
    The last portion closes the last part; it may be empty.
    """
    waiting: list[Found] = []
    newly = 0
    done = parts_done - 1
    for done, part in enumerate(_unread(files, form, parts_done), parts_done):
        left = part.found[in_part:]
        newly += 0 if in_part else len(part.found)
        while len(waiting) + len(left) > PORTION:
            cut = PORTION - len(waiting)
            in_part += cut
            yield Portion((*waiting, *left[:cut]), done, in_part, newly)
            waiting, newly, left = [], 0, left[cut:]
        waiting.extend(left)
        in_part = 0
        if len(waiting) == PORTION:
            yield Portion(tuple(waiting), done + 1, 0, newly)
            waiting, newly = [], 0
    yield Portion(tuple(waiting), done + 1, 0, newly)


def _unread(files: Sequence[File], form: str | None, parts_done: int) -> Iterator[Part]:
    skip = parts_done
    for unit in _units(files):
        count = _count(unit)
        if skip < count:
            yield from _read_unit(unit, form, skip)
        skip = max(0, skip - count)


def _units(files: Sequence[File]) -> list[list[File]]:
    """Return the files, those of one call together."""
    groups = group_voices([name for name, _ in files])
    return [[files[k] for k in places] for places in groups]


def _count(unit: Sequence[File]) -> int:
    return count_parts(unit[0][1]) if len(unit) == 1 else 1


def _read_unit(unit: Sequence[File], form: str | None, skip: int) -> Iterator[Part]:
    if len(unit) == 1:
        yield from read_parts(unit[0][1], name=unit[0][0], form=form, skip=skip)
    else:
        yield _read_voices(unit, form)


def count_all(files: Sequence[File]) -> int:
    """Return how many parts a batch of files has, without reading them."""
    return sum(_count(unit) for unit in _units(files))


def count_parts(data: bytes) -> int:
    """Return how many parts a file has, without reading them; a broken archive is one part."""
    try:
        archive = _archive(data)
    except _Broken:
        return 1
    members = [] if archive is None else _members(archive)
    return 1 if _refusal_of(members) else len(_groups(members))


def read_parts(data: bytes, *, name: str, form: str | None, skip: int = 0) -> Iterator[Part]:
    """Read a file part by part and yield each; the first `skip` parts are passed over unread.

    `form` overrules what the content says. Never raises: what cannot be read is a refusal in its
    part.
    """
    try:
        archive = _archive(data)
        members = [] if archive is None else _members(archive)
        refusal = "" if archive is None else _refusal_of(members)
    except _Broken as broken:
        archive, members, refusal = None, [], str(broken)
    if skip and (refusal or archive is None):
        return
    if refusal:
        yield _refused(name, refusal)
    elif archive is None:
        yield _read(data, name, form)
    else:
        for group in _groups(members)[skip:]:
            yield _read_members(archive, group, name, form)


class _Broken(Exception):
    """An archive, or a file inside of one, that cannot be opened; the text is the refusal."""


def _archive(data: bytes) -> zipfile.ZipFile | None:
    """Return the archive that a file is; None for a file of its own, a workbook included."""
    if not data.startswith(_SIGNATURE):
        return None
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise _Broken(
            "broken_archive: The archive cannot be opened (cut off or damaged); send it again."
        ) from None
    return None if _WORKBOOK in archive.NameToInfo else archive


def _is_workbook(data: bytes) -> bool:
    try:
        return _archive(data) is None
    except _Broken:
        return False


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [
        member
        for member in archive.infolist()
        # What archivers add of their own is nobody's call.
        if not member.is_dir() and not member.filename.startswith("__MACOSX/")
    ]


def _refusal_of(members: Sequence[zipfile.ZipInfo]) -> str:
    if not members:
        return "empty_archive: The archive holds no file. Pack the call files and send it again."
    if len(members) > MAX_MEMBERS:
        return f"too_many_files: The archive holds over {MAX_MEMBERS:,} files; split it."
    if sum(member.file_size for member in members) > MAX_UNPACKED:
        return f"too_large: The archive unpacks to over {MAX_UNPACKED:,} bytes; split it."
    return ""


def _groups(members: Sequence[zipfile.ZipInfo]) -> list[list[zipfile.ZipInfo]]:
    groups = group_voices([member.filename for member in members])
    return [[members[k] for k in places] for places in groups]


def _read_members(
    archive: zipfile.ZipFile, group: Sequence[zipfile.ZipInfo], name: str, form: str | None
) -> Part:
    files: list[File] = []
    for member in group:
        place = f"{name}/{member.filename}"
        try:
            files.append((place, _unpack(archive, member)))
        except _Broken as broken:
            return _refused(place, str(broken))
    return _read(files[0][1], files[0][0], form) if len(files) == 1 else _read_voices(files, form)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a file inside of an archive. Raises _Broken with its refusal."""
    if member.file_size > MAX_BYTES:
        raise _Broken(f"too_large: The file has over {MAX_BYTES:,} bytes; split it.")
    if member.file_size > MAX_RATIO * max(1, member.compress_size):
        raise _Broken(f"bomb: The file unpacks to over {MAX_RATIO} times its size; it is not read.")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _Broken("broken_archive: The file is packed in an unusual way; use deflate.")
    try:
        with archive.open(member) as stream:
            # The directory may lie about the size: one byte more than allowed is enough to know.
            data = stream.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        raise _Broken(
            "broken_archive: The file cannot be unpacked (damaged, or locked by a password)."
        ) from None
    if len(data) > MAX_BYTES:
        raise _Broken(f"too_large: The file has over {MAX_BYTES:,} bytes; split it.")
    if data.startswith(_SIGNATURE) and not _is_workbook(data):
        raise _Broken("nested_archive: An archive inside an archive is not read.")
    return data


def _read_voices(files: Sequence[File], form: str | None) -> Part:
    name = files[0][0]
    result = parse_voices(files, name=name, format=form)
    return Part(name, (*_refusals(result), *_calls(result, name)))


def _read(data: bytes, name: str, form: str | None) -> Part:
    result = parse_calls(data, name=name, format=form)
    return Part(name, (*_refusals(result), *_calls(result, name)))


def _refusals(result: ParseResult) -> Iterator[Found]:
    for where, finding in result.refused:
        yield Found(where, None, (), f"{finding.code}: {finding.text}")


def _calls(result: ParseResult, name: str) -> Iterator[Found]:
    findings = findings_by_call(result)
    for call in result.calls:
        yield Found(f"{name}, {call.id}", call, findings.get(call.id, ()))


def _refused(place: str, sentence: str) -> Part:
    return Part(place, (Found(place, None, (), sentence),))
