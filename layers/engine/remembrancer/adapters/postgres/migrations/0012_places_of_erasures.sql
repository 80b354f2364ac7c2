-- An erasure reaches as far as the credential that asked for it: one project and environment, or, when the operator
-- asked, the whole organization; then all three are NULL. Those of before reached everywhere.
ALTER TABLE erasures
    ADD COLUMN project_id text,
    ADD COLUMN environment text,
    ALTER COLUMN requested_by DROP NOT NULL;

-- What became valid last in an agent: an answer that is kept is no longer true when something became valid since.
CREATE INDEX memories_valid_from ON memories (org_id, agent_id, valid_from)
    WHERE status = 'active' AND valid_from IS NOT NULL;
