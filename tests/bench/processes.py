"""What processes and all they started have used: CPU, and their share of memory."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds of a process and all it started, the ended ones too."""
    known = _known()
    return sum(known[pid][1] for pid in _tree(root, known))


def memory_bytes(root: int) -> int:
    """Return the proportional share of memory (PSS) of a process and all it started now."""
    return sum(_share(pid) for pid in _tree(root, _known()))


def _tree(root: int, known: dict[int, tuple[int, float]]) -> set[int]:
    tree = {root}
    while more := {pid for pid, (parent, _) in known.items() if parent in tree} - tree:
        tree |= more
    return tree & known.keys()


def _known() -> dict[int, tuple[int, float]]:
    known: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            known |= _stat(folder)
    return known


def _stat(folder: Path) -> dict[int, tuple[int, float]]:
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        # It ended while we looked.
        return {}
    ticks = sum(int(one) for one in fields[11:15])
    return {int(folder.name): (int(fields[1]), ticks / os.sysconf("SC_CLK_TCK"))}


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
