"""The model's side: the loop, the turn, the history, and the reviewer made of them."""
