-- Vectors of any number of dimensions, and of two models at a time: while all memories are embedded by a new model, the
-- vectors of the one before serve. Each model has a table of vectors. That of the first one with 384 dimensions is
-- memory_vectors, as for older code; the migrating function creates the others when a deployment needs them.

-- The deployment's models and their tables, the same for all organizations. Written by the owner only.
CREATE TABLE embedding_models (
    model           text PRIMARY KEY,
    dimensions      integer NOT NULL,
    vectors         text NOT NULL UNIQUE,
    -- When a deployment last had this model: long ago, and the table is dropped.
    wanted_at       timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON embedding_models TO remembrancer_app;

-- The model whose vectors serve; NULL: not decided yet, as for an organization that older code created.
ALTER TABLE organizations
    ADD COLUMN embedding_model text,
    ADD COLUMN embedding_model_since timestamptz NOT NULL DEFAULT now();

-- A centroid has as many dimensions as its model. Only the type's modifier changes: no row is written again.
ALTER TABLE memory_clusters ALTER COLUMN centroid TYPE halfvec;

-- Keeps a memory's row in another table of vectors, the trigger's argument, as code keeps that in memory_vectors. Holds
-- for older code, which does not know these tables.
CREATE FUNCTION follow_memory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'active' THEN
        EXECUTE format('DELETE FROM %I WHERE agent_id = $1 AND memory_id = $2', TG_ARGV[0])
        USING OLD.agent_id, OLD.memory_id;
    ELSE
        EXECUTE format('UPDATE %I SET user_id = $3, category = $4, source = $5, tier = $6, tags = $7, confidence = $8,
                               valid_from = $9, expires_at = $10, occurred_from = $11, occurred_to = $12
                        WHERE agent_id = $1 AND memory_id = $2', TG_ARGV[0])
        USING NEW.agent_id, NEW.memory_id, NEW.user_id, NEW.category, NEW.source, NEW.tier, NEW.tags, NEW.confidence,
              NEW.valid_from, NEW.expires_at, NEW.occurred_from, NEW.occurred_to;
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    organization uuid;
BEGIN
    -- The owner is bound by the policies too, so one organization after the other.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        UPDATE organizations SET embedding_model = (
            SELECT v.embedding_model FROM memory_vectors v WHERE v.org_id = organization LIMIT 1)
        WHERE org_id = organization;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    INSERT INTO embedding_models (model, dimensions, vectors)
    SELECT embedding_model, 384, 'memory_vectors' FROM organizations WHERE embedding_model IS NOT NULL
    GROUP BY embedding_model ORDER BY count(*) DESC, embedding_model LIMIT 1;
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;
