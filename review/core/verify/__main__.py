"""``python -m review.core.verify``: the verifier from a checkout."""

import sys

from review.core.verify.program import main

sys.exit(main())
