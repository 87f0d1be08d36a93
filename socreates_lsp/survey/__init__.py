"""The survey of a project: what can be read off its files, each claim with the place that it rests on."""
