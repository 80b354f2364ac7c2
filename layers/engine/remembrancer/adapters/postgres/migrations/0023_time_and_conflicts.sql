-- When it was true or happened what a memory says, and which memories may contradict each other.

-- In single columns, so that a search reads them with the rest of the row. What may contradict a memory is the relation
-- `may_contradict`, from the newer memory to the older; both rows repeat it: the older ids, and the newer ones.
ALTER TABLE memories
    ADD COLUMN occurred_from timestamptz,
    ADD COLUMN occurred_to timestamptz,
    ADD COLUMN contradicts uuid[],
    ADD COLUMN contradicted_by uuid[],
    ADD CONSTRAINT memories_occurred CHECK (occurred_from <= occurred_to) NOT VALID;
ALTER TABLE memory_vectors
    ADD COLUMN occurred_from timestamptz,
    ADD COLUMN occurred_to timestamptz;
-- Value, day, place, negation: in what two memories differ.
ALTER TABLE memory_relations ADD COLUMN differs_in text;
CREATE INDEX memories_conflicts ON memories (org_id, agent_id) WHERE contradicts IS NOT NULL;
