"""How many agreements are kept when their conversation is left out of the fit; `--fit` writes the weights."""

import sys

from benchmarks import agreements

turns = agreements.every()
if "--fit" in sys.argv[1:]:
    agreements.write(agreements.fitted(turns))
else:
    print(*agreements.report(list(agreements.crossed(turns))), sep="\n")
