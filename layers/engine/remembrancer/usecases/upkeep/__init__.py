"""The steps of the scheduled maintenance, each limited in number and in time."""
