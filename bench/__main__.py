"""`python -m bench`: everything that runs on a CPU, results into bench/results.md."""

from __future__ import annotations

import sys

from bench.peers import main

sys.argv = [sys.argv[0], "--write", *sys.argv[1:]]
main()
