-- Texts of all scripts are split into whole words (docs/languages.md#a-change-of-the-words). Which rules the terms of a
-- document are of; NULL: of the first, which cut words at marks.
ALTER TABLE term_documents ADD COLUMN words smallint;

-- The scheduled maintenance looks at the terms of every organization, as after a change of its languages.
DO $$
DECLARE
    organization uuid;
BEGIN
    -- The owner is bound by the policies too, so one organization after the other.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        UPDATE organizations SET languages_changed_at = now() WHERE org_id = organization;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;
