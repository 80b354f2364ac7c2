-- Pinned memories stand in every prompt of those whom they concern, in the order of pinning.

ALTER TABLE memories ADD COLUMN pinned_at timestamptz;
-- A prompt has the shared ones, under '', and those of its end user.
CREATE INDEX memories_pinned ON memories (org_id, agent_id, (coalesce(user_id, ''))) WHERE pinned_at IS NOT NULL;
