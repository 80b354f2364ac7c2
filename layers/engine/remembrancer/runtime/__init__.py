"""Lambda's side: events in, responses out, deadlines, work after the response."""
