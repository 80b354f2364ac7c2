"""Context assembly and memory for LLM agents."""
