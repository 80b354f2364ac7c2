-- A memory ages from the last time its row was written or used, not from the time that it tells of.
DROP INDEX memories_ageing;
CREATE INDEX memories_ageing ON memories (org_id, tier, updated_at) WHERE status = 'active' AND tier <> 'cold';
