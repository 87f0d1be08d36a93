"""Mechanisms beyond patterns. Each module is one ``detector`` of a rule, named like the module.

A detector is a function ``detect(file) -> Iterator[Match]``.
"""
