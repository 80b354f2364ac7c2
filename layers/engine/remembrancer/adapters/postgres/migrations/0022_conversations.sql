-- Conversations, of which memories are made (docs/capture.md).

CREATE TABLE conversations (
    conversation_id uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    project_id      text NOT NULL,
    environment     text NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    user_id         text,
    session_id      text NOT NULL,
    turns           integer NOT NULL DEFAULT 0,
    queued_at       timestamptz NOT NULL DEFAULT now(),
    requeues        integer NOT NULL DEFAULT 0,
    pending         integer NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX conversations_session ON conversations (agent_id, coalesce(user_id, ''), session_id);
CREATE INDEX conversations_user ON conversations (org_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX conversations_listing ON conversations (org_id, agent_id, updated_at, conversation_id);
CREATE INDEX conversations_age ON conversations (org_id, updated_at);
CREATE INDEX conversations_pending ON conversations (org_id, queued_at) WHERE pending > 0;

-- One message of a user or an assistant. `memory_id` is the id of the memory made of it, if there is one, so that two
-- runs of the worker cannot make two. `after` is the number of the turn that was said before it, NULL for the first.
-- `fingerprint` stands for role and text; a long text said again is the same turn, a short one only after the same turn.
CREATE TABLE conversation_turns (
    org_id          uuid NOT NULL,
    conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
    number          integer NOT NULL,
    after           integer,
    turn_id         text,
    memory_id       uuid NOT NULL UNIQUE,
    role            text NOT NULL CHECK (role IN ('user', 'assistant')),
    content         text,
    speaker         text,
    sealed          bytea,
    key_version     integer,
    fingerprint     bytea NOT NULL,
    client_ref      text,
    observed_at     timestamptz NOT NULL,
    redactions      jsonb NOT NULL DEFAULT '{}',
    state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'kept', 'dropped')),
    reason          text,
    captured_at     timestamptz,
    PRIMARY KEY (conversation_id, number),
    FOREIGN KEY (org_id, key_version) REFERENCES data_keys (org_id, usable),
    CONSTRAINT conversation_turns_one_form CHECK (
        CASE WHEN key_version IS NULL
             THEN content IS NOT NULL AND sealed IS NULL
             ELSE sealed IS NOT NULL AND num_nonnulls(content, speaker) = 0 END)
);
CREATE UNIQUE INDEX conversation_turns_text ON conversation_turns (conversation_id, fingerprint, coalesce(after, 0));
CREATE INDEX conversation_turns_pending ON conversation_turns (conversation_id, number) WHERE state = 'pending';
CREATE INDEX conversation_turns_key_version ON conversation_turns (org_id, key_version);

-- `provenance` says where a memory comes from that was made of a conversation; it contains no text. `context_version`
-- counts the times its context grew: a vector of the smaller context is replaced, but serves until then.
ALTER TABLE memories ADD COLUMN provenance jsonb, ADD COLUMN context_version integer NOT NULL DEFAULT 0;

DO $$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['conversations', 'conversation_turns'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;
END $$;
