-- Clusters of one end user each: a centroid tells of every vector in it, so what one caller may not see is never in a
-- cluster with what it may.

-- The end user, '' for nobody. NULL: made by code that mixed them; never ranked by, and taken apart by the scheduled run.
ALTER TABLE memory_clusters ADD COLUMN owner text;
DROP INDEX memory_clusters_agent;
CREATE INDEX memory_clusters_agent ON memory_clusters (agent_id, category, owner);
CREATE INDEX memory_clusters_mixed ON memory_clusters (org_id) WHERE owner IS NULL;

-- Holds for older code too. The error is one that it takes for an outage: it compares the memory again later.
CREATE FUNCTION require_cluster_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM memory_clusters c
               WHERE c.cluster_id = NEW.cluster_id AND c.owner <> coalesce(NEW.user_id, '')) THEN
        RAISE EXCEPTION 'a memory joins clusters of its own end user only'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER cluster_of_owner BEFORE UPDATE OF cluster_id, user_id ON memories FOR EACH ROW
    WHEN (NEW.cluster_id IS NOT NULL
          AND (NEW.cluster_id IS DISTINCT FROM OLD.cluster_id OR NEW.user_id IS DISTINCT FROM OLD.user_id))
    EXECUTE FUNCTION require_cluster_of_owner();
