"""`python -m benchmarks.turns FOLDER`."""

from benchmarks.turns import main

main()
