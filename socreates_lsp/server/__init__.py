"""The language server: the only importer of pygls and lsprotocol. Handlers answer at once and call services."""
