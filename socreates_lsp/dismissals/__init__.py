"""Dismissals at work: what a root keeps of them, how a review honours them, how the user gives and takes them back."""
