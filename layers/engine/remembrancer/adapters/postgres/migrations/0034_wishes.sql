-- What was done about a user's wish to forget in a turn: its outcome, and ids of memories (docs/capture.md).
ALTER TABLE conversation_turns ADD COLUMN forget jsonb;
