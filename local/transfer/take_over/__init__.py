"""Files of other products as memories and conversations: each product's module reads one form."""
