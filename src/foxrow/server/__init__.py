"""HTTP and websockets around `foxrow.match`: thin, codes instead of prose, views instead of truths."""
