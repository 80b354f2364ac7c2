"""The steps of each capability; imports only the domain and ports."""
