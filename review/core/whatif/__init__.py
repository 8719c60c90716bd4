"""What if another catalog version had judged these calls? Nothing stored changes (design 4.6)."""

from review.core.whatif.deciding import Change, Past, Weighed, decide_again
from review.core.whatif.tallying import Tally, tally

__all__ = ["Change", "Past", "Tally", "Weighed", "decide_again", "tally"]
