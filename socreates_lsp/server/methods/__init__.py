"""One file per LSP method: which document, then one call, then convert."""
