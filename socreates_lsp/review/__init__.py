"""What a review is made of: findings, citations, grounding, suppression, the store. Pure; no I/O at all."""
