"""HTTP endpoints, one module for each capability."""
