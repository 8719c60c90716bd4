"""Read the container strictly: every byte of it must be the one that our writer writes.

Members are read one by one, in pieces, and only as far as a bound; nothing is ever unpacked,
because nothing in it is packed.

| code | what is refused |
| --- | --- |
| E-ZIP | no ZIP file, a truncated one, or one of the 64-bit kind |
| E-ZIPNAME | a name that could mean another place |
| E-ZIPDUP | two members whose names differ in nothing, or in case alone |
| E-ZIPLINK | a member that is a link or a folder |
| E-ZIPBOMB | a member that is packed, or larger than any of ours |
| E-CONTAINER | any other byte that our writer would not have written |
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

from oipsce_site.signing.core.refusals import Refused, require
from review.core.audit.container import (
    CENTRAL,
    CENTRAL_MARK,
    END,
    END_MARK,
    Member,
    central_header,
    end_record,
    local_header,
)
from review.core.audit.names import NAME, in_order

MOST_BYTES: Final = 48 * 2**20
MOST_DIRECTORY: Final = 16 * 2**20
_PIECE: Final = 2**16
_LINK: Final = 0xA


class Container:
    """The members of an audit, by name, in their order."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the directory at the end of the file. Raises Refused."""
        self._file = file
        self.members = {member.name: member for member in _read_directory(file)}

    def read(self, name: str) -> bytes:
        """Return the bytes of a member. Raises Refused; KeyError for an unknown name."""
        member = self.members[name]
        require(member.size <= MOST_BYTES, "E-ZIPBOMB", f"{name} is larger than any file of ours")
        self._file.seek(member.offset)
        header = local_header(member)
        found = self._file.read(len(header))
        require(found == header, "E-CONTAINER", f"{name}: its header is not the one it must have")
        pieces = list(_pieces(self._file, member.size))
        data = b"".join(pieces)
        whole = len(data) == member.size and zlib.crc32(data) == member.crc
        require(whole, "E-CONTAINER", f"{name}: its bytes do not fit its header")
        return data


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    left = size
    while left > 0:
        piece = file.read(min(_PIECE, left))
        if not piece:
            return
        left -= len(piece)
        yield piece


def _read_directory(file: BinaryIO) -> list[Member]:
    whole = file.seek(0, 2)
    require(whole >= END.size, "E-ZIP", "the file is too short to be an audit")
    file.seek(whole - END.size)
    last = file.read(END.size)
    mark, disk, first_disk, here, count, size, offset, comment = END.unpack(last)
    require(mark == END_MARK, "E-ZIP", "the file is no ZIP file, or its end is missing")
    require(
        0xFFFF not in (here, count) and 0xFFFFFFFF not in (size, offset),
        "E-ZIP",
        "the file is a ZIP file of the 64-bit kind, which an audit never is",
    )
    fits = offset + size + END.size == whole and size <= MOST_DIRECTORY
    require(fits, "E-ZIP", "the file is truncated, or something was added to it")
    require(
        (disk, first_disk, here, comment) == (0, 0, count, 0)
        and last == end_record(count, size, offset),
        "E-CONTAINER",
        "the end of the file is not the one it must have",
    )
    file.seek(offset)
    directory = file.read(size)
    require(len(directory) == size, "E-ZIP", "the file is truncated")
    members = _read_members(directory, count)
    _check_places(members, offset)
    return members


def _read_members(directory: bytes, count: int) -> list[Member]:
    members: list[Member] = []
    seen: set[str] = set()
    at = 0
    for _ in range(count):
        member, length = _read_member(directory, at)
        require(member.name.lower() not in seen, "E-ZIPDUP", f"{member.name} is there twice")
        seen.add(member.name.lower())
        members.append(member)
        at += length
    # Last, so that what is dangerous in a container of another make is named as what it is.
    own = b"".join(central_header(member) for member in members)
    require(own == directory, "E-CONTAINER", "the directory is not the one it must be")
    return members


def _read_member(directory: bytes, at: int) -> tuple[Member, int]:
    fixed = directory[at : at + CENTRAL.size]
    require(len(fixed) == CENTRAL.size, "E-ZIP", "the directory is truncated")
    parts = CENTRAL.unpack(fixed)
    mark, method = parts[0], parts[4]
    crc, packed, size, *lengths = parts[7:13]
    rights, offset = parts[15], parts[16]
    require(mark == CENTRAL_MARK, "E-ZIP", "the directory has another form")
    raw = directory[at + CENTRAL.size : at + CENTRAL.size + lengths[0]]
    name = raw.decode("ascii", errors="replace")
    require(bool(NAME.fullmatch(name)), "E-ZIPNAME", f"{ascii(name)[:80]} is no name of ours")
    require(rights >> 28 != _LINK, "E-ZIPLINK", f"{name} is a link")
    require(method == 0 and packed == size, "E-ZIPBOMB", f"{name} is packed; ours never are")
    return Member(name, crc, size, offset), CENTRAL.size + sum(lengths)


def _check_places(members: list[Member], directory_at: int) -> None:
    """Check that members lie in their order, one after the other, with nothing between them."""
    names = [member.name for member in members]
    require(names == in_order(names), "E-CONTAINER", "the members are not in their order")
    place = 0
    for member in members:
        require(member.offset == place, "E-CONTAINER", f"{member.name} lies in another place")
        place += len(local_header(member)) + member.size
    if place != directory_at:
        raise Refused("E-CONTAINER", "there is something between the files and their directory")
