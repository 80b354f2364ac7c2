"""How many replies are decided right when their writer is left out of the fit; `--fit` writes the weights."""

import sys

from benchmarks import replies

read = replies.every()
if "--fit" in sys.argv[1:]:
    replies.write(replies.fitted(read))
else:
    print(*replies.report(list(replies.crossed(read))), sep="\n")
