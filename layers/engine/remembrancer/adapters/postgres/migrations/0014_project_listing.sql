-- Listings and exports of a whole project read a page, not the project.
CREATE INDEX memories_of_project ON memories (org_id, project_id, environment, created_at, memory_id);
