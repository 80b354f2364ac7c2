"""Context assembly: takes a chat, returns messages that are ready to send to a model."""
