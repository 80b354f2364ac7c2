"""Embedders, language models, tokenizers and the catalogue of models."""
