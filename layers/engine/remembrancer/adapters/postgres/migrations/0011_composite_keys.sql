-- No row can refer to another organization's: every foreign key to agents, memories and clusters names the organization
-- too. (Checks of foreign keys do not look at row-level security.)

ALTER TABLE agents ADD CONSTRAINT agents_organization UNIQUE (org_id, agent_id);
ALTER TABLE memories ADD CONSTRAINT memories_organization UNIQUE (org_id, memory_id);
ALTER TABLE memory_clusters ADD CONSTRAINT memory_clusters_organization UNIQUE (org_id, cluster_id);

DO $$
DECLARE
    simple record;
BEGIN
    -- Those of partitions go and come with their parent's.
    FOR simple IN
        SELECT c.conname, c.conrelid::regclass AS from_table, f.attname AS from_column,
               c.confrelid::regclass AS to_table, t.attname AS to_column,
               CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN format('SET NULL (%I)', f.attname)
                                  ELSE 'NO ACTION' END AS action
        FROM pg_constraint c
        JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = c.conkey[1]
        JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = c.confkey[1]
        WHERE c.contype = 'f' AND c.conparentid = 0 AND cardinality(c.conkey) = 1
          AND c.confrelid IN ('agents'::regclass, 'memories'::regclass, 'memory_clusters'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', simple.from_table, simple.conname);
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (org_id, %I) REFERENCES %s (org_id, %I) ON DELETE %s',
            simple.from_table, simple.conname, simple.from_column, simple.to_table, simple.to_column, simple.action);
    END LOOP;
END $$;
