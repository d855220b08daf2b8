"""Search for any game of the contract: information-set Monte Carlo tree search. No game is named here."""
