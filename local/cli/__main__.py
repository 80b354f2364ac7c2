"""`python -m local.cli`."""

from local.cli import main

main()
