"""Files as the editor sees them. Nothing here knows of findings, rules or LSP."""
