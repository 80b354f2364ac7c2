"""How many wishes are found when their conversation is left out of the fit; `--fit` writes the weights."""

import sys

from benchmarks import wishes

turns = wishes.every()
if "--fit" in sys.argv[1:]:
    wishes.write(wishes.fitted(turns))
else:
    print(*wishes.report(wishes.crossed(turns)), sep="\n")
