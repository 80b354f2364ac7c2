-- How many turns of conversations an organization may store (docs/security.md, Quotas).

-- Added by the request that stores turns, in the same transaction; taken away with the turns, whatever deletes them.
ALTER TABLE stored_texts ADD COLUMN turns bigint NOT NULL DEFAULT 0;

CREATE FUNCTION forget_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stored_texts s SET turns = greatest(s.turns - gone.turns, 0)
    FROM (SELECT org_id, count(*) AS turns FROM deleted GROUP BY org_id) gone
    WHERE s.org_id = gone.org_id;
    RETURN NULL;
END $$;
CREATE TRIGGER conversation_turns_forget_turns AFTER DELETE ON conversation_turns
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION forget_turns();

-- The owner is bound by row-level security, too: organization by organization.
DO $$
DECLARE
    organization uuid;
BEGIN
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        INSERT INTO stored_texts AS s (org_id, texts, turns)
        SELECT organization, 0, count(*) FROM conversation_turns WHERE org_id = organization
        ON CONFLICT (org_id) DO UPDATE SET turns = excluded.turns;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;
