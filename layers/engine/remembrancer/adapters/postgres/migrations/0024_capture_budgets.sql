-- Tokens of the capture model that an organization has used or reserved, by day (UTC).

-- A call reserves the most that it can use before it is made, and gives back the rest after it. What died in between has
-- reserved too much, never too little.
CREATE TABLE capture_budgets (
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    day             date NOT NULL,
    tokens          bigint NOT NULL,
    calls           integer NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, day)
);
ALTER TABLE capture_budgets ENABLE ROW LEVEL SECURITY;
ALTER TABLE capture_budgets FORCE ROW LEVEL SECURITY;
CREATE POLICY one_organization ON capture_budgets USING (org_id = current_org());
GRANT SELECT, INSERT, UPDATE, DELETE ON capture_budgets TO remembrancer_app;
