"""Context assembly: token budget, packing of memories, and the injected text."""
