-- Turns that the rules have decided on and a capture model is yet to read (docs/capture-model.md). `pending` of their
-- conversation counts them with the turns without a decision.
ALTER TABLE conversation_turns ADD COLUMN unread boolean NOT NULL DEFAULT false;
CREATE INDEX conversation_turns_unread ON conversation_turns (conversation_id, number) WHERE unread;
