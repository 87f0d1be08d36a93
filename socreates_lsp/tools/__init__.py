"""The tools that a model may call: one file for each. None writes into the workspace."""
