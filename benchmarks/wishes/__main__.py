"""`python -m benchmarks.wishes [--fit]`."""

import sys

from benchmarks import wishes

turns = wishes.every()
if "--fit" in sys.argv[1:]:
    wishes.write(wishes.fitted(turns))
else:
    print(*wishes.report(list(wishes.crossed(turns))), sep="\n")
