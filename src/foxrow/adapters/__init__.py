"""Foxrow's games in the shape of other libraries. Each adapter is an extra: nothing here is loaded by itself."""
