"""What is kept on disk: the transcript of a conversation, what left this machine, what the user agreed to."""
