"""Writing, embedding, changing and reading memories."""
