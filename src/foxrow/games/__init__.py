"""One folder a game; the registry finds them by itself."""
