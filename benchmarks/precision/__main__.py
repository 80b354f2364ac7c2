"""`python -m benchmarks.precision FOLDER`."""

from benchmarks.precision import main

main()
