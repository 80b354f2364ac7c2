"""Context assembly: from a chat to messages that are ready to send."""
