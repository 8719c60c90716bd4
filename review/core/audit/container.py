"""The container: a ZIP file that has exactly one form for given files.

Nothing is compressed, so the bytes depend on no library, and no small file unpacks to a large one.
Times, rights and versions are constants; members are sorted, the manifest last; there are no
comments and no extra fields. The reader rebuilds every header and asks for the same bytes.

Source: the ZIP format without its 64-bit extension, which bounds an audit at 4 GiB.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

LOCAL: Final = struct.Struct("<4s5H3I2H")
CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
END: Final = struct.Struct("<4s4H2IH")
LOCAL_MARK: Final = b"PK\x03\x04"
CENTRAL_MARK: Final = b"PK\x01\x02"
END_MARK: Final = b"PK\x05\x06"
_NEEDS: Final = 20
_MADE_BY: Final = 3 << 8 | _NEEDS  # on Unix, so that the rights are read as such
_MIDNIGHT: Final = 0
_FIRST_DAY: Final = 1 << 5 | 1  # 1980-01-01
_RIGHTS: Final = 0o100644 << 16
MOST_BYTES: Final = 2**32 - 2
MOST_MEMBERS: Final = 65_534


class TooLarge(Exception):
    """The files do not fit into one container; the sentence says what to do."""


class Member(NamedTuple):
    """One file in the container: its name, CRC-32, size, and where its header begins."""

    name: str
    crc: int
    size: int
    offset: int


def local_header(member: Member) -> bytes:
    """Return the bytes before a member's own."""
    name = member.name.encode("ascii")
    return (
        LOCAL.pack(
            *(LOCAL_MARK, _NEEDS, 0, 0, _MIDNIGHT, _FIRST_DAY),
            *(member.crc, member.size, member.size, len(name), 0),
        )
        + name
    )


def central_header(member: Member) -> bytes:
    """Return a member's bytes in the directory at the end."""
    name = member.name.encode("ascii")
    return (
        CENTRAL.pack(
            *(CENTRAL_MARK, _MADE_BY, _NEEDS, 0, 0, _MIDNIGHT, _FIRST_DAY),
            *(member.crc, member.size, member.size, len(name), 0, 0, 0, 0),
            *(_RIGHTS, member.offset),
        )
        + name
    )


def end_record(count: int, size: int, offset: int) -> bytes:
    """Return the last bytes: how many members, and where their directory is."""
    return END.pack(END_MARK, 0, 0, count, count, size, offset, 0)


class ContainerWriter:
    """Writes members one after the other; the caller gives them in the container's order."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._members: list[Member] = []
        self._offset = 0

    def add(self, name: str, data: bytes) -> None:
        """Write one member. Raises TooLarge when it does not fit."""
        member = Member(name, zlib.crc32(data), len(data), self._offset)
        header = local_header(member)
        self._offset += len(header) + len(data)
        if self._offset > MOST_BYTES or len(self._members) >= MOST_MEMBERS:
            raise TooLarge("the audit is over 4 GiB or 65,534 files; choose a shorter period")
        self._write(header)
        self._write(data)
        self._members.append(member)

    def finish(self) -> None:
        """Write the directory."""
        directory = b"".join(central_header(member) for member in self._members)
        if self._offset + len(directory) > MOST_BYTES:
            raise TooLarge("the audit is over 4 GiB; choose a shorter period")
        self._write(directory)
        self._write(end_record(len(self._members), len(directory), self._offset))
