-- How much an organization may store (docs/security.md, Quotas).

-- The texts that an organization has: one for each version of each memory. Added by who stores one, in the same
-- transaction; taken away with the memory, whoever deletes it.
CREATE TABLE stored_texts (
    org_id          uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
    texts           bigint NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE stored_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE stored_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY one_organization ON stored_texts USING (org_id = current_org());
GRANT SELECT, INSERT, UPDATE, DELETE ON stored_texts TO remembrancer_app;

CREATE FUNCTION forget_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stored_texts s SET texts = greatest(s.texts - gone.texts, 0)
    FROM (SELECT org_id, sum(version) AS texts FROM deleted GROUP BY org_id) gone
    WHERE s.org_id = gone.org_id;
    RETURN NULL;
END $$;
CREATE TRIGGER memories_forget_texts AFTER DELETE ON memories
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION forget_texts();

-- The owner is bound by row-level security, too: organization by organization.
DO $$
DECLARE
    organization uuid;
BEGIN
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        INSERT INTO stored_texts
        SELECT organization, coalesce(sum(version), 0) FROM memories WHERE org_id = organization;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;

CREATE INDEX directives_organization ON directives (org_id);
-- Listings of keys read a page.
CREATE INDEX api_keys_listing ON api_keys (org_id, project_id, environment, created_at, key_id);
