"""`python -m benchmarks.follow_ups FOLDER`."""

from benchmarks.follow_ups import main

main()
