"""`python -m benchmarks.chats FOLDER`."""

from benchmarks.chats import main

main()
