-- In which time zone days are counted: that of an agent, and that of an end user in a project and environment. Names of
-- the IANA database; NULL or no row: not set.
ALTER TABLE agents ADD COLUMN time_zone text;

CREATE TABLE end_users (
    org_id      uuid NOT NULL,
    project_id  text NOT NULL,
    environment text NOT NULL,
    user_id     text NOT NULL,
    time_zone   text NOT NULL,
    PRIMARY KEY (org_id, project_id, environment, user_id),
    FOREIGN KEY (org_id, project_id) REFERENCES projects ON DELETE CASCADE
);
CREATE INDEX end_users_name ON end_users (org_id, user_id);
ALTER TABLE end_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE end_users FORCE ROW LEVEL SECURITY;
CREATE POLICY one_organization ON end_users USING (org_id = current_org());
GRANT SELECT, INSERT, UPDATE, DELETE ON end_users TO remembrancer_app;
