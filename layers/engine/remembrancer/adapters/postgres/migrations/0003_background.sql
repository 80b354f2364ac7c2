-- What the workers derive from memories and their use: clusters, sessions, profiles; and what maintenance needs to know.

-- Choices of the organization, by name; what is missing has its default.
ALTER TABLE organizations ADD COLUMN IF NOT EXISTS settings jsonb NOT NULL DEFAULT '{}';
-- When the scheduled run is to visit it next: the longest overdue comes first.
ALTER TABLE organizations ADD COLUMN maintenance_due_at timestamptz NOT NULL DEFAULT now();

-- Groups of memories of one agent and category that mean similar things. A centroid is a unit vector of one model.
CREATE TABLE memory_clusters (
    cluster_id      uuid PRIMARY KEY,
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    category        text NOT NULL,
    centroid        halfvec(384) NOT NULL,
    members         integer NOT NULL,
    embedding_model text NOT NULL,
    -- The agent's version when centroid and members were last computed from the members themselves.
    refreshed_change bigint NOT NULL DEFAULT 0,
    refreshed_at    timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE memory_clusters ALTER COLUMN centroid SET STORAGE PLAIN;
CREATE INDEX memory_clusters_agent ON memory_clusters (agent_id, category);
CREATE INDEX memory_clusters_refresh ON memory_clusters (org_id, refreshed_at);

-- NULL: not compared with the others yet, or not embedded.
ALTER TABLE memories ADD COLUMN cluster_id uuid REFERENCES memory_clusters ON DELETE SET NULL;
CREATE INDEX memories_cluster ON memories (cluster_id) WHERE cluster_id IS NOT NULL;
-- How often a message about this text was sent again because nothing had come of it.
ALTER TABLE memories ADD COLUMN requeues smallint NOT NULL DEFAULT 0;

-- The memories that were returned in a session, for each agent that they belong to. A query over several agents adds to
-- several rows; one over all agents of a project reads all rows of its session and end user.
CREATE TABLE sessions (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    session_id      text NOT NULL,
    user_id         text,
    -- Newest first, at most 200, each once; the moments go with them.
    returned        uuid[] NOT NULL,
    returned_at     timestamptz[] NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE UNIQUE INDEX sessions_key ON sessions (org_id, session_id, agent_id, user_id) NULLS NOT DISTINCT;
CREATE INDEX sessions_agent ON sessions (agent_id);
CREATE INDEX sessions_age ON sessions (org_id, updated_at);

-- What an end user recently used, for each agent that it belongs to: {"name": count}, where a use counts half as much
-- after each half-life (domain.profile). The counts are as of `updated_at`. `users` are those whose memories they were.
CREATE TABLE profiles (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    user_id         text NOT NULL,
    categories      jsonb NOT NULL,
    tags            jsonb NOT NULL,
    users           jsonb NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, agent_id, user_id)
);
CREATE INDEX profiles_agent ON profiles (agent_id);
CREATE INDEX profiles_age ON profiles (org_id, updated_at);

-- What ages, expires, waits to be compared, or has served its time. None holds the moment of the last access, so that
-- counting a use stays an update in place.
CREATE INDEX memories_ageing ON memories (org_id, tier, created_at) WHERE status = 'active' AND tier <> 'cold';
CREATE INDEX memories_expiring ON memories (org_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
CREATE INDEX memories_unclustered ON memories (org_id, queued_at)
    WHERE status = 'active' AND embedding_state = 'ready' AND cluster_id IS NULL;
CREATE INDEX applied_events_age ON applied_events (org_id, applied_at);

DO $$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['memory_clusters', 'sessions', 'profiles']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;
END $$;
