-- Speakers in lower case are subjects, and the spellings of a name have one term (docs/query.md#names). As in 0028, the
-- scheduled maintenance makes the terms of every organization anew.
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
