"""Agreement of raters: coefficients, their interval by call, and what the numbers can bear."""

from review.core.agreement.coefficients import (
    COEFFICIENTS,
    Coefficient,
    Figure,
    Undefined,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    prevalence,
    raw_agreement,
)
from review.core.agreement.interval import Interval, percentile_interval
from review.core.agreement.measures import MEASURES, Measure, Rated, RatedCall, near, tables_of
from review.core.agreement.reporting import (
    Measured,
    measure_agreement,
    measure_tables,
    measured_from_json,
    measured_to_json,
)
from review.core.agreement.words import decimal, small_n

__all__ = [
    "COEFFICIENTS",
    "MEASURES",
    "Coefficient",
    "Figure",
    "Interval",
    "Measure",
    "Measured",
    "Rated",
    "RatedCall",
    "Undefined",
    "cohen_kappa",
    "decimal",
    "fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
    "measure_agreement",
    "measure_tables",
    "measured_from_json",
    "measured_to_json",
    "near",
    "percentile_interval",
    "prevalence",
    "raw_agreement",
    "small_n",
    "tables_of",
]
