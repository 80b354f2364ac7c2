"""`python -m benchmarks.silence FOLDER`."""

from benchmarks.silence import main

main()
