"""The embedded reviewer: rules as data, a few detectors, no model. Knows nothing of LSP."""
