"""The command line: one file per command. Nothing heavy is imported before the command is known."""
