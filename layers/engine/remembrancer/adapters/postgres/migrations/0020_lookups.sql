-- What callers look memories up by: their own reference, an entry of the metadata, and whose they are.

CREATE INDEX memories_by_client_ref ON memories (org_id, agent_id, client_ref) WHERE client_ref IS NOT NULL;
CREATE INDEX memories_end_users ON memories (org_id, agent_id, user_id)
    WHERE user_id IS NOT NULL AND status <> 'deleted';

-- A name and a value in one number, so that equality is a b-tree's: under row-level security no index on jsonb serves.
-- 1 and 1.0 are the same number.
CREATE FUNCTION metadata_entry(name text, value jsonb) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ('x' || left(md5(jsonb_build_array(name, CASE jsonb_typeof(value)
        WHEN 'number' THEN to_jsonb(trim_scale((value #>> '{}')::numeric)) ELSE value END)::text), 16))::bit(64)::bigint
$$;

-- The entries of memories' metadata that are text, number or truth value.
CREATE TABLE metadata_entries (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL,
    entry           bigint NOT NULL,
    memory_id       uuid NOT NULL,
    PRIMARY KEY (org_id, agent_id, entry, memory_id),
    FOREIGN KEY (org_id, memory_id) REFERENCES memories (org_id, memory_id) ON DELETE CASCADE
);
-- For the cascade from memories.
CREATE INDEX metadata_entries_memory ON metadata_entries (org_id, memory_id);

DO $$
DECLARE
    organization uuid;
BEGIN
    ALTER TABLE metadata_entries ENABLE ROW LEVEL SECURITY;
    ALTER TABLE metadata_entries FORCE ROW LEVEL SECURITY;
    CREATE POLICY one_organization ON metadata_entries USING (org_id = current_org());
    GRANT SELECT, INSERT, UPDATE, DELETE ON metadata_entries TO remembrancer_app;

    -- The owner is bound by the policies too, so one organization after the other.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        INSERT INTO metadata_entries (org_id, agent_id, entry, memory_id)
        SELECT m.org_id, m.agent_id, metadata_entry(e.key, e.value), m.memory_id
        FROM memories m CROSS JOIN jsonb_each(m.metadata) e
        WHERE m.metadata <> '{}' AND jsonb_typeof(e.value) IN ('string', 'number', 'boolean')
        ON CONFLICT DO NOTHING;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;

-- Kept here, so that no version of the code can change the metadata and not its entries.
CREATE FUNCTION keep_metadata_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM metadata_entries WHERE org_id = NEW.org_id AND memory_id = NEW.memory_id;
    END IF;
    INSERT INTO metadata_entries (org_id, agent_id, entry, memory_id)
    SELECT NEW.org_id, NEW.agent_id, metadata_entry(e.key, e.value), NEW.memory_id
    FROM jsonb_each(NEW.metadata) e
    WHERE jsonb_typeof(e.value) IN ('string', 'number', 'boolean')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER enter_metadata AFTER INSERT ON memories
    FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_metadata_entries();
CREATE TRIGGER change_metadata AFTER UPDATE OF metadata ON memories
    FOR EACH ROW WHEN (NEW.metadata IS DISTINCT FROM OLD.metadata) EXECUTE FUNCTION keep_metadata_entries();
