-- What happens to a memory after it was written: new versions, feedback, deletion, erasure, requests that come twice.

-- A deleted memory can be restored for a while, to the status that it had.
ALTER TABLE memories ADD COLUMN deleted_at timestamptz, ADD COLUMN deleted_from text;
CREATE INDEX memories_deleted ON memories (org_id, deleted_at) WHERE status = 'deleted';
CREATE INDEX memories_of_user ON memories (org_id, user_id, agent_id) WHERE user_id IS NOT NULL;
-- Two end users' references have nothing to do with each other.
DROP INDEX memories_client_ref;
CREATE UNIQUE INDEX memories_client_ref ON memories (agent_id, coalesce(user_id, ''), client_ref)
    WHERE client_ref IS NOT NULL;

-- A memory is not live before this moment.
ALTER TABLE memory_vectors ADD COLUMN valid_from timestamptz;

-- The texts that a memory had before its current one.
CREATE TABLE memory_versions (
    org_id          uuid NOT NULL,
    memory_id       uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    version         integer NOT NULL,
    content         text,
    summary         text,
    context         text,
    sealed          bytea,
    sealed_context  bytea,
    key_version     integer,
    replaced_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (memory_id, version),
    FOREIGN KEY (org_id, key_version) REFERENCES data_keys (org_id, usable),
    CONSTRAINT memory_versions_one_form CHECK (
        CASE WHEN key_version IS NULL
             THEN content IS NOT NULL AND num_nonnulls(sealed, sealed_context) = 0
             ELSE sealed IS NOT NULL AND num_nonnulls(content, summary, context) = 0 END)
);
CREATE INDEX memory_versions_key_version ON memory_versions (org_id, key_version);

-- One opinion of each end user on a memory; without an end user, one row for each call.
CREATE TABLE feedback (
    feedback_id     uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    memory_id       uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    user_id         text,
    positive        boolean NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX feedback_of_user ON feedback (memory_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX feedback_memory ON feedback (memory_id);
CREATE INDEX feedback_user ON feedback (org_id, user_id) WHERE user_id IS NOT NULL;

-- Requests that were answered: keys, bodies and whom they were about as keyed hashes, the answers without text.
CREATE TABLE idempotency_keys (
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    key_id          uuid NOT NULL,
    idempotency_key bytea NOT NULL,
    request         bytea NOT NULL,
    subjects        bytea[] NOT NULL,
    status          integer NOT NULL,
    answer          jsonb NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, key_id, idempotency_key)
);
CREATE INDEX idempotency_keys_subjects ON idempotency_keys USING gin (subjects);
CREATE INDEX idempotency_keys_age ON idempotency_keys (org_id, created_at);

-- Who had what erased, and when. `subject` is kept until the work is done, then only its keyed hash; an erased
-- organization leaves its row here and nothing else.
CREATE TABLE erasures (
    erasure_id      uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('user', 'agent', 'organization')),
    subject         text,
    subject_hash    bytea NOT NULL,
    requested_by    uuid NOT NULL,
    state           text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
    counts          jsonb NOT NULL DEFAULT '{}',
    requested_at    timestamptz NOT NULL DEFAULT now(),
    finished_at     timestamptz
);
CREATE INDEX erasures_running ON erasures (org_id, requested_at) WHERE state = 'running';
CREATE INDEX erasures_subject ON erasures (org_id, subject_hash);

DO $$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['memory_versions', 'feedback', 'idempotency_keys', 'erasures'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;
END $$;
