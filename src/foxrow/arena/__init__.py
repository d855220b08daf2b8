"""Tournaments between bots: paired deals, honest intervals, runs that survive a kill."""
