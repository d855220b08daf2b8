"""The contract that a game fills, and what any game may rely on. Core knows no game.

Nothing is imported here: `contract`, `errors` and `registry` are light, the rest loads NumPy or Numba.
"""
