"""Runs where scikit-learn, statsmodels and krippendorff are installed; imports nothing of ours."""
# mypy: ignore-errors

from __future__ import annotations

import json
import math
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import krippendorff
import numpy
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

DIGITS = 1e-12


def sklearn_cohen(table):
    """Ask scikit-learn for the kappa of the units that both have rated."""
    both = [unit for unit in table if None not in unit]
    if len(table[0]) != 2 or not both:
        return None
    return cohen_kappa_score([unit[0] for unit in both], [unit[1] for unit in both])


def statsmodels_cohen(table):
    """Ask statsmodels for the same, by its table of counts."""
    both = [unit for unit in table if None not in unit]
    if len(table[0]) != 2 or not both:
        return None
    kinds = sorted({rating for unit in both for rating in unit})
    counts = numpy.zeros((len(kinds), len(kinds)))
    for first, second in both:
        counts[kinds.index(first), kinds.index(second)] += 1
    return cohens_kappa(counts, return_results=False)


def statsmodels_fleiss(table):
    """Ask statsmodels for Fleiss' kappa of the units that all have rated."""
    full = [unit for unit in table if None not in unit]
    if not full:
        return None
    return fleiss_kappa(aggregate_raters(numpy.array(full))[0])


def krippendorff_alpha(table):
    """Ask krippendorff; it refuses tables with nothing to pair, or one value."""
    kinds = sorted({rating for unit in table for rating in unit if rating is not None})
    codes = [[math.nan if r is None else kinds.index(r) for r in unit] for unit in table]
    try:
        return krippendorff.alpha(numpy.array(codes, dtype=float).T, level_of_measurement="nominal")
    except ValueError:
        return None


JUDGES = (
    ("scikit-learn", "cohen", sklearn_cohen),
    ("statsmodels", "cohen", statsmodels_cohen),
    ("statsmodels", "fleiss", statsmodels_fleiss),
    ("krippendorff", "alpha", krippendorff_alpha),
)


def main(path: str) -> int:
    """Compare every table, print one line a judge."""
    warnings.simplefilter("ignore")
    asked = json.loads(Path(path).read_text(encoding="utf-8"))
    wrong = 0
    for package, name, judge in JUDGES:
        equal = none = 0
        for one in asked:
            theirs = judge(one["table"]) if one["table"] else None
            ours = one["ours"][name]
            undefined = theirs is None or not math.isfinite(theirs)
            if ours is None and undefined:
                none += 1
            elif ours is not None and not undefined and abs(ours - theirs) < DIGITS:
                equal += 1
            else:
                wrong += 1
                print(f"{package} {name}: ours {ours}, theirs {theirs}: {one['table']}")
        print(
            f"{package} {version(package)} {name}: {equal} equal to 12 digits, "
            f"{none} without a value for both, of {len(asked)}"
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
