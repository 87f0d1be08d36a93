"""One file per socreates command; each is a custom request and a command of the same name."""
