-- Vectors of one end user, and of a project, are found without reading those of others.

DROP INDEX memory_vectors_agent;
CREATE INDEX memory_vectors_agent ON memory_vectors (org_id, agent_id, user_id);
CREATE INDEX memory_vectors_project ON memory_vectors (org_id, project_id, environment, user_id);
-- The documents that an end user may find: their own, and nobody's.
CREATE INDEX memories_document_user ON memories (agent_id, user_id, document) WHERE document IS NOT NULL;
