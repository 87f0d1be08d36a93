"""Wires to models: one neutral vocabulary (``types``), one adapter for each wire, one hierarchy of failures."""
