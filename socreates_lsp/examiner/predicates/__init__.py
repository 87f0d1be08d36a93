"""What ast-grep cannot say. Each module is one predicate of a rule's ``where``, named like the module.

A predicate is a function ``holds(file, match, argument) -> bool``.
"""
