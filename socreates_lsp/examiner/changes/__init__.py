"""What a change gives reason to ask, in any language: git's difference, read function by function.

The questions are data (rules/), the ways to find their places are code (mechanisms/, one a module). Everything
but reading.py and project.py is pure.
"""
