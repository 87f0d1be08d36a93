"""Talks about findings at work: what a root keeps of them, what a reply comes to, answers that lose their ground."""
