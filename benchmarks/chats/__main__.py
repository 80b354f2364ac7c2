"""`python -m benchmarks.chats FOLDER` writes the set of chats for `remembrancer eval`."""

from benchmarks.chats import main

main()
