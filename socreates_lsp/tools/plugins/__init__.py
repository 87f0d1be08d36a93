"""Plugins that ship with the package, one a file. None is loaded unless ``plugins.enabled`` names it."""
