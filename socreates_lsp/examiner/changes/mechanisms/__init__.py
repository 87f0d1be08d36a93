"""One mechanism a module: what changed, found by reading the text before and after. Pure."""
