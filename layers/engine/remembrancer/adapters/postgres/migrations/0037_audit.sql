-- The audit trail of an organization (docs/audit.md): who has changed and read what. A change writes its entry in its own
-- transaction; a worker numbers the entries and chains them by hashes afterwards, so no writer waits for another one.
CREATE TABLE audit_entries (
    org_id      uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    entry_id    bigint GENERATED ALWAYS AS IDENTITY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    action      text NOT NULL,
    -- A key's id, end_user, service or operator.
    actor       text NOT NULL,
    -- NULL: about the organization as a whole.
    project_id  text,
    environment text,
    agent_id    uuid,
    object      text,
    memory_ids  uuid[],
    -- Whose data; from when the entry is linked, subject stands instead of the name.
    user_id     text,
    subject     uuid,
    position    bigint,
    digest      bytea,
    hash        bytea,
    PRIMARY KEY (org_id, entry_id)
);
CREATE UNIQUE INDEX audit_entries_position ON audit_entries (org_id, position) WHERE position IS NOT NULL;
CREATE INDEX audit_entries_waiting ON audit_entries (org_id, entry_id) WHERE position IS NULL;

-- What stands for an end user in linked entries: random, so nothing leads back from it when this row is erased.
CREATE TABLE audit_subjects (
    org_id      uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    project_id  text NOT NULL,
    environment text NOT NULL,
    user_id     text NOT NULL,
    subject     uuid NOT NULL DEFAULT gen_random_uuid(),
    used_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, project_id, environment, user_id)
);

-- How far an organization's entries are linked, and where they begin since older ones were removed; signed.
CREATE TABLE audit_chains (
    org_id        uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
    from_position bigint NOT NULL DEFAULT 0,
    from_hash     bytea NOT NULL,
    position      bigint NOT NULL DEFAULT 0,
    hash          bytea NOT NULL,
    signed_at     timestamptz,
    public_key    bytea,
    signature     bytea
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['audit_entries', 'audit_subjects', 'audit_chains'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', name);
    END LOOP;
END $$;

-- Nothing for an organization that is being deleted, nor where its settings say so.
CREATE FUNCTION audit(org uuid, action text, project text, environment text, agent uuid, owner text, object text)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO audit_entries (org_id, action, actor, project_id, environment, agent_id, user_id, object)
    SELECT o.org_id, action,
           coalesce(nullif(current_setting('remembrancer.actor', true), ''),
                    CASE current_user WHEN 'remembrancer_app' THEN 'service' ELSE 'operator' END),
           project, environment, agent, owner, object
    FROM organizations o WHERE o.org_id = org AND (o.settings ->> 'audit') IS DISTINCT FROM 'off'
$$;

CREATE FUNCTION audit_memory() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    verb text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM audit(OLD.org_id, 'memory.erased', OLD.project_id, OLD.environment, OLD.agent_id, OLD.user_id,
                      OLD.memory_id::text);
        RETURN NULL;
    END IF;
    verb := CASE WHEN TG_OP = 'INSERT' THEN 'created' WHEN NEW.status <> OLD.status THEN NEW.status ELSE 'changed' END;
    PERFORM audit(NEW.org_id, 'memory.' || verb, NEW.project_id, NEW.environment, NEW.agent_id, NEW.user_id,
                  NEW.memory_id::text);
    RETURN NULL;
END $$;
CREATE TRIGGER memories_audit AFTER INSERT OR DELETE ON memories FOR EACH ROW EXECUTE FUNCTION audit_memory();
-- Uses, vectors, clusters and sealing change no memory.
CREATE TRIGGER memories_audit_change AFTER UPDATE OF status, version, pinned_at, updated_at ON memories FOR EACH ROW
    WHEN ((OLD.status, OLD.version, OLD.pinned_at, OLD.updated_at)
          IS DISTINCT FROM (NEW.status, NEW.version, NEW.pinned_at, NEW.updated_at))
    EXECUTE FUNCTION audit_memory();

-- Arguments: the thing, the column of its id, and the verb of an update. Its place is that of its row, its agent or its
-- memory; '' where these are gone. Things without any of them are the organization's.
CREATE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
    org uuid := (changed ->> 'org_id')::uuid;
    memory uuid := coalesce(changed ->> 'from_memory_id', changed ->> 'memory_id')::uuid;
    agent uuid := (changed ->> 'agent_id')::uuid;
    project text := changed ->> 'project_id';
    place text := changed ->> 'environment';
    owner text := changed ->> 'user_id';
BEGIN
    -- Workers make and drop relations from what is stored.
    IF memory IS NOT NULL AND coalesce(current_setting('remembrancer.actor', true), '') = '' THEN
        RETURN NULL;
    END IF;
    IF memory IS NOT NULL THEN
        SELECT m.agent_id, coalesce(owner, m.user_id) INTO agent, owner FROM memories m
        WHERE m.org_id = org AND m.memory_id = memory;
    END IF;
    IF project IS NULL AND (agent IS NOT NULL OR memory IS NOT NULL) THEN
        SELECT a.project_id, a.environment INTO project, place FROM agents a
        WHERE a.org_id = org AND a.agent_id = agent;
        project := coalesce(project, '');
    END IF;
    PERFORM audit(org, TG_ARGV[0] || '.' || CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'DELETE' THEN 'erased'
                                                       ELSE TG_ARGV[2] END,
                  project, place, agent, owner, changed ->> TG_ARGV[1]);
    RETURN NULL;
END $$;
CREATE TRIGGER directives_audit AFTER INSERT OR DELETE ON directives
    FOR EACH ROW EXECUTE FUNCTION audit_row('directive', 'version');
CREATE TRIGGER agents_audit AFTER INSERT OR DELETE ON agents
    FOR EACH ROW EXECUTE FUNCTION audit_row('agent', 'agent_id');
CREATE TRIGGER agents_audit_change AFTER UPDATE OF name, enabled, capture, time_zone, placement ON agents FOR EACH ROW
    WHEN ((OLD.name, OLD.enabled, OLD.capture, OLD.time_zone, OLD.placement)
          IS DISTINCT FROM (NEW.name, NEW.enabled, NEW.capture, NEW.time_zone, NEW.placement))
    EXECUTE FUNCTION audit_row('agent', 'agent_id', 'changed');
CREATE TRIGGER end_users_audit AFTER INSERT OR UPDATE OR DELETE ON end_users
    FOR EACH ROW EXECUTE FUNCTION audit_row('end_user', '', 'changed');
CREATE TRIGGER memory_relations_audit AFTER INSERT OR UPDATE OR DELETE ON memory_relations
    FOR EACH ROW EXECUTE FUNCTION audit_row('relation', 'relation_id', 'changed');
CREATE TRIGGER feedback_audit AFTER INSERT OR UPDATE OR DELETE ON feedback
    FOR EACH ROW EXECUTE FUNCTION audit_row('feedback', 'memory_id', 'changed');
CREATE TRIGGER conversations_audit AFTER DELETE ON conversations
    FOR EACH ROW EXECUTE FUNCTION audit_row('conversation', 'conversation_id');
CREATE TRIGGER api_keys_audit AFTER INSERT OR DELETE ON api_keys
    FOR EACH ROW EXECUTE FUNCTION audit_row('key', 'key_id');
CREATE TRIGGER api_keys_audit_change AFTER UPDATE OF end_users, revoked_at ON api_keys FOR EACH ROW
    WHEN ((OLD.end_users, OLD.revoked_at) IS DISTINCT FROM (NEW.end_users, NEW.revoked_at))
    EXECUTE FUNCTION audit_row('key', 'key_id', 'changed');
CREATE TRIGGER erasures_audit AFTER INSERT ON erasures
    FOR EACH ROW EXECUTE FUNCTION audit_row('erasure', 'erasure_id');
CREATE TRIGGER erasures_audit_end AFTER UPDATE OF state ON erasures
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION audit_row('erasure', 'erasure_id', 'done');
CREATE TRIGGER data_keys_audit AFTER INSERT ON data_keys
    FOR EACH ROW EXECUTE FUNCTION audit_row('data_key', 'version');
CREATE TRIGGER data_keys_audit_change AFTER UPDATE OF retired_at, wrapped ON data_keys
    FOR EACH ROW EXECUTE FUNCTION audit_row('data_key', 'version', 'changed');

-- One entry for the turns that a request stores.
CREATE FUNCTION audit_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM audit(c.org_id, 'conversation.stored', c.project_id, c.environment, c.agent_id, c.user_id,
                  c.conversation_id::text)
    FROM conversations c JOIN (SELECT DISTINCT org_id, conversation_id FROM stored) s
         ON s.org_id = c.org_id AND s.conversation_id = c.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER conversation_turns_audit AFTER INSERT ON conversation_turns
    REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION audit_turns();

-- Also for the change that ends the recording.
CREATE FUNCTION audit_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_entries (org_id, action, actor)
    SELECT NEW.org_id, 'organization.changed',
           CASE current_user WHEN 'remembrancer_app' THEN 'service' ELSE 'operator' END
    WHERE (OLD.settings ->> 'audit') IS DISTINCT FROM 'off' OR (NEW.settings ->> 'audit') IS DISTINCT FROM 'off';
    RETURN NULL;
END $$;
CREATE TRIGGER organizations_audit AFTER UPDATE OF settings, memory_tokens, languages, rate_per_second, rate_burst
    ON organizations FOR EACH ROW
    WHEN ((OLD.settings, OLD.memory_tokens, OLD.languages, OLD.rate_per_second, OLD.rate_burst)
          IS DISTINCT FROM (NEW.settings, NEW.memory_tokens, NEW.languages, NEW.rate_per_second, NEW.rate_burst))
    EXECUTE FUNCTION audit_organization();
