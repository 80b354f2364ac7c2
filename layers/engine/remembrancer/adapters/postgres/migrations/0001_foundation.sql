-- The tables of the first path: who asks, what is remembered, how it is found, what was counted.
--
-- Every table carries org_id and forces row-level security on it, keyed by the transaction-local setting
-- remembrancer.org_id: a statement that forgets its organization finds nothing. The functions log in as
-- remembrancer_app, which owns nothing; migrations run as the owner, who is bound by the same policies.

CREATE EXTENSION IF NOT EXISTS vector;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'remembrancer_app') THEN
        CREATE ROLE remembrancer_app LOGIN;
    END IF;
    -- On RDS the functions log in with IAM tokens; elsewhere there is no such role.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'rds_iam') THEN
        GRANT rds_iam TO remembrancer_app;
    END IF;
END $$;

CREATE FUNCTION current_org() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('remembrancer.org_id', true), '')::uuid;

CREATE TABLE organizations (
    org_id          uuid PRIMARY KEY,
    name            text NOT NULL,
    language        text NOT NULL DEFAULT 'english',
    -- Names the terms of the lexical index: 32 random bytes, never shown.
    term_key        bytea NOT NULL,
    memory_tokens   integer,
    created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE projects (
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    project_id      text NOT NULL,
    name            text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, project_id)
);

CREATE TABLE api_keys (
    key_id          uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    project_id      text NOT NULL,
    environment     text NOT NULL CHECK (environment IN ('development', 'staging', 'production')),
    name            text NOT NULL,
    key_sha256      bytea NOT NULL UNIQUE,
    scopes          text[] NOT NULL,
    -- NULL: any end user; else exact names and, ending in *, prefixes.
    end_users       text[],
    end_user_required boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    revoked_at      timestamptz,
    FOREIGN KEY (org_id, project_id) REFERENCES projects ON DELETE CASCADE
);
CREATE INDEX ON api_keys (org_id);

CREATE TABLE agents (
    agent_id        uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    project_id      text NOT NULL,
    environment     text NOT NULL,
    name            text NOT NULL,
    -- Documents and words in memory_terms, kept by the same transactions: BM25's collection statistics.
    indexed_documents bigint NOT NULL DEFAULT 0,
    indexed_words   bigint NOT NULL DEFAULT 0,
    -- Rows in memory_vectors: chooses between exact and approximate search.
    vectors         bigint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (org_id, project_id, environment, name),
    FOREIGN KEY (org_id, project_id) REFERENCES projects ON DELETE CASCADE
);

CREATE TABLE directives (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    version         integer NOT NULL,
    text            text NOT NULL,
    injection_mode  text NOT NULL CHECK (injection_mode IN ('system_first', 'system_append', 'user_prepend')),
    active          boolean NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, version)
);
CREATE UNIQUE INDEX directives_active ON directives (agent_id) WHERE active;

CREATE TABLE memories (
    memory_id       uuid PRIMARY KEY,
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    project_id      text NOT NULL,
    environment     text NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    user_id         text,
    session_id      text,
    content         text NOT NULL,
    summary         text,
    context         text,
    category        text NOT NULL,
    source          text NOT NULL,
    confidence      real NOT NULL,
    importance      real NOT NULL,
    quality         real NOT NULL,
    tags            text[] NOT NULL DEFAULT '{}',
    metadata        jsonb NOT NULL DEFAULT '{}',
    status          text NOT NULL DEFAULT 'active'
                    CHECK (status IN ('active', 'superseded', 'archived', 'deleted', 'pending_review')),
    tier            text NOT NULL DEFAULT 'hot' CHECK (tier IN ('hot', 'warm', 'cold')),
    content_sha256  bytea NOT NULL,
    client_ref      text,
    version         integer NOT NULL DEFAULT 1,
    supersedes      uuid REFERENCES memories ON DELETE SET NULL,
    superseded_by   uuid REFERENCES memories ON DELETE SET NULL,
    tokens_o200k    integer NOT NULL,
    tokens_cl100k   integer NOT NULL,
    indexed_words   integer NOT NULL,
    embedding_state text NOT NULL DEFAULT 'pending' CHECK (embedding_state IN ('pending', 'ready', 'failed', 'dropped')),
    embedding_model text,
    embedding_error text,
    queued_at       timestamptz NOT NULL DEFAULT now(),
    usage_count     bigint NOT NULL DEFAULT 0,
    retrieval_count bigint NOT NULL DEFAULT 0,
    positive_count  bigint NOT NULL DEFAULT 0,
    negative_count  bigint NOT NULL DEFAULT 0,
    last_accessed_at timestamptz,
    valid_from      timestamptz,
    expires_at      timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL DEFAULT now()
);
-- One active text for each agent and end user; the same key makes writes idempotent.
CREATE UNIQUE INDEX memories_active_text ON memories (agent_id, coalesce(user_id, ''), content_sha256)
    WHERE status = 'active';
CREATE UNIQUE INDEX memories_client_ref ON memories (agent_id, client_ref) WHERE client_ref IS NOT NULL;
CREATE INDEX memories_listing ON memories (org_id, agent_id, created_at DESC, memory_id DESC);
CREATE INDEX memories_pending ON memories (org_id, queued_at) WHERE embedding_state = 'pending';
CREATE INDEX memories_supersedes ON memories (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_superseded_by ON memories (superseded_by) WHERE superseded_by IS NOT NULL;

-- Live, embedded memories only: narrow rows, so that exact search reads few pages and the vector stays in line.
CREATE TABLE memory_vectors (
    memory_id       uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    org_id          uuid NOT NULL,
    project_id      text NOT NULL,
    environment     text NOT NULL,
    agent_id        uuid NOT NULL,
    user_id         text,
    category        text NOT NULL,
    source          text NOT NULL,
    tier            text NOT NULL,
    tags            text[] NOT NULL,
    confidence      real NOT NULL,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz,
    embedding_model text NOT NULL,
    embedding       halfvec(384) NOT NULL,
    PRIMARY KEY (agent_id, memory_id)
) PARTITION BY HASH (agent_id);
ALTER TABLE memory_vectors ALTER COLUMN embedding SET STORAGE PLAIN;

DO $$
BEGIN
    FOR part IN 0..31 LOOP
        EXECUTE format('CREATE TABLE memory_vectors_%s PARTITION OF memory_vectors
                        FOR VALUES WITH (MODULUS 32, REMAINDER %s)', to_char(part, 'FM00'), part);
    END LOOP;
END $$;
CREATE INDEX memory_vectors_agent ON memory_vectors (org_id, agent_id);
CREATE INDEX memory_vectors_memory ON memory_vectors (memory_id);
CREATE INDEX memory_vectors_hnsw ON memory_vectors USING hnsw (embedding halfvec_cosine_ops)
    WITH (m = 16, ef_construction = 128);
-- Without these the planner takes (organization, agent) for independent and expects a tenth of the rows.
CREATE STATISTICS memories_scope (dependencies, ndistinct) ON org_id, agent_id FROM memories;

-- The lexical index: one row for each term of each live memory; terms are keyed hashes and reveal no words.
CREATE TABLE memory_terms (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL,
    term            bigint NOT NULL,
    memory_id       uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    content_frequency smallint NOT NULL,
    context_frequency smallint NOT NULL,
    PRIMARY KEY (agent_id, term, memory_id)
);
CREATE INDEX memory_terms_memory ON memory_terms (memory_id);

CREATE TABLE memory_relations (
    relation_id     uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    from_memory_id  uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    to_memory_id    uuid NOT NULL REFERENCES memories ON DELETE CASCADE,
    type            text NOT NULL,
    confidence      real NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (from_memory_id, to_memory_id, type),
    CHECK (from_memory_id <> to_memory_id)
);
CREATE INDEX ON memory_relations (to_memory_id);

-- Usage events already counted: their effect and their id are one transaction.
CREATE TABLE applied_events (
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    event_id        uuid NOT NULL,
    applied_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, event_id)
);

DO $$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['organizations', 'projects', 'api_keys', 'agents', 'directives', 'memories',
        'memory_vectors', 'memory_terms', 'memory_relations', 'applied_events']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;
    -- A partition can be named directly, which its parent's policy would not see.
    FOR part IN 0..31 LOOP
        EXECUTE format('ALTER TABLE memory_vectors_%s ENABLE ROW LEVEL SECURITY', to_char(part, 'FM00'));
        EXECUTE format('ALTER TABLE memory_vectors_%s FORCE ROW LEVEL SECURITY', to_char(part, 'FM00'));
    END LOOP;
END $$;

-- Before the organization is known, exactly one key can be seen: the one whose hash the request presents.
CREATE POLICY presented_key ON api_keys FOR SELECT
    USING (key_sha256 = decode(nullif(current_setting('remembrancer.key_sha256', true), ''), 'hex'));

-- The scheduled maintenance visits every organization in turn: it may list them, and then acts within one at a time.
CREATE POLICY maintenance ON organizations FOR SELECT
    USING (current_setting('remembrancer.maintenance', true) = 'on');
