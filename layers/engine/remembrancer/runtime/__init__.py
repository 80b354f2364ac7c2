"""The Lambda side: events, responses, deadlines, and work after the response."""
