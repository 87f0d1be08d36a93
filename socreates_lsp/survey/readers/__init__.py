"""One file a kind of manifest: from its text to a ``Manifest``. Pure; what is broken is told, and nothing is raised."""
