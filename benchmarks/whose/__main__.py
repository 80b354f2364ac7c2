"""`python -m benchmarks.whose FOLDER`."""

from benchmarks.whose import main

main()
