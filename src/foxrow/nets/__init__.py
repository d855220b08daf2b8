"""Networks that learned a game: playing them (`play`, NumPy alone) and training them (`train`, PyTorch)."""
