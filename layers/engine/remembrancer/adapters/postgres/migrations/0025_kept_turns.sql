-- How long turns of conversations are kept, and agents whose assembled requests are captured (docs/capture.md).

-- Whether the turns of an agent's assembled requests are captured.
ALTER TABLE agents ADD COLUMN capture boolean NOT NULL DEFAULT false;

-- The text of a turn is removed some time after `stored_at`. The row stays without text, so that a history that comes
-- again later is not captured again.
ALTER TABLE conversation_turns
    ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now(),
    DROP CONSTRAINT conversation_turns_one_form,
    ADD CONSTRAINT conversation_turns_one_form CHECK (
        CASE WHEN key_version IS NULL THEN sealed IS NULL
             ELSE sealed IS NOT NULL AND num_nonnulls(content, speaker) = 0 END),
    ADD CONSTRAINT conversation_turns_pending_text CHECK (
        state <> 'pending' OR content IS NOT NULL OR sealed IS NOT NULL);
CREATE INDEX conversation_turns_age ON conversation_turns (org_id, stored_at)
    WHERE content IS NOT NULL OR sealed IS NOT NULL;
-- Texts that a rotation of data keys has to find: a turn is in one of the two, or has no text.
DROP INDEX conversation_turns_key_version;
CREATE INDEX conversation_turns_key_version ON conversation_turns (org_id, key_version) WHERE key_version IS NOT NULL;
CREATE INDEX conversation_turns_clear ON conversation_turns (org_id, memory_id) WHERE content IS NOT NULL;

-- No row refers to a row of another organization.
ALTER TABLE conversations
    ADD CONSTRAINT conversations_organization UNIQUE (org_id, conversation_id),
    DROP CONSTRAINT conversations_agent_id_fkey,
    ADD CONSTRAINT conversations_agent_id_fkey
        FOREIGN KEY (org_id, agent_id) REFERENCES agents (org_id, agent_id) ON DELETE CASCADE;
ALTER TABLE conversation_turns
    DROP CONSTRAINT conversation_turns_conversation_id_fkey,
    ADD CONSTRAINT conversation_turns_conversation_id_fkey
        FOREIGN KEY (org_id, conversation_id) REFERENCES conversations (org_id, conversation_id) ON DELETE CASCADE;
