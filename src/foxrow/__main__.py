"""`python -m foxrow` is `foxrow`."""

from foxrow.cli import main

main()
