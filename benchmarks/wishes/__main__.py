"""`python -m benchmarks.wishes [--fit]`."""

import sys

from benchmarks import wishes

turns = wishes.every()
for line in wishes.report(list(wishes.crossed(turns))):
    print(line)
if "--fit" in sys.argv[1:]:
    wishes.write(wishes.fitted(turns))
