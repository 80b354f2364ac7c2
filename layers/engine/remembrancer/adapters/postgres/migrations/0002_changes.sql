-- What a reader needs to know whether it is up to date with an agent's memories.

-- `version` counts the writes that changed what is searched, `removals` those of them that took something away.
ALTER TABLE agents ADD COLUMN version bigint NOT NULL DEFAULT 0, ADD COLUMN removals bigint NOT NULL DEFAULT 0;
-- The agent's version when the memory last entered, left or changed: readers ask for what is newer than they are.
ALTER TABLE memories ADD COLUMN change bigint NOT NULL DEFAULT 0;
CREATE INDEX memories_change ON memories (agent_id, change);
