-- The lexical index packed: postings of a term in blocks of 4,096 documents, read as arrays.

-- Documents are memories as numbered in their agent's index; those below merged_documents are in term_blocks.
ALTER TABLE agents
    DROP COLUMN indexed_words,
    ADD COLUMN content_words bigint NOT NULL DEFAULT 0,
    ADD COLUMN context_words bigint NOT NULL DEFAULT 0,
    ADD COLUMN next_document integer NOT NULL DEFAULT 0,
    ADD COLUMN merged_documents integer NOT NULL DEFAULT 0,
    ADD COLUMN merged_at timestamptz NOT NULL DEFAULT now();

-- NULL: not in the index.
ALTER TABLE memories DROP COLUMN indexed_words, ADD COLUMN document integer;

-- What each memory contains: its terms as ten bytes each (hash, frequency in content, frequency in context). What is
-- not merged yet is searched here. A document that left stays, as one to be ignored, until it is out of term_blocks.
CREATE TABLE term_documents (
    org_id          uuid NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    document        integer NOT NULL,
    content_words   integer NOT NULL,
    context_words   integer NOT NULL,
    terms           bytea NOT NULL,
    left_at         timestamptz,
    PRIMARY KEY (agent_id, document)
);
CREATE INDEX term_documents_left ON term_documents (org_id, agent_id, document) WHERE left_at IS NOT NULL;

-- Where each term occurs: eight bytes a posting (offset in the block, frequencies, lengths). The organization's own key
-- comes first, then the term, so that a query over all agents reads only what there is.
CREATE TABLE term_blocks (
    org_id          uuid NOT NULL,
    term            bigint NOT NULL,
    agent_id        uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
    block           integer NOT NULL,
    postings        integer NOT NULL,
    packed          bytea NOT NULL,
    PRIMARY KEY (org_id, term, agent_id, block)
);
-- For the cascade from agents.
CREATE INDEX term_blocks_agent ON term_blocks (agent_id);
-- Does not shrink, and would be unpacked for every query.
ALTER TABLE term_blocks ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE term_documents ALTER COLUMN terms SET STORAGE MAIN;

DO $$
DECLARE
    tenant_table text;
    organization uuid;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['term_documents', 'term_blocks']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;

    -- The owner is bound by the policies too, so one organization after the other. Everything becomes the unmerged
    -- part of its agent's index, which is searched as it is and merged in time.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        UPDATE memories m SET document = numbered.document
        FROM (SELECT memory_id, row_number() OVER (PARTITION BY agent_id ORDER BY created_at, memory_id) - 1 AS document
              FROM memories WHERE status = 'active') AS numbered
        WHERE m.memory_id = numbered.memory_id;
        INSERT INTO term_documents (org_id, agent_id, document, content_words, context_words, terms)
        SELECT m.org_id, m.agent_id, m.document,
               least(coalesce(sum(t.content_frequency), 0), 65535), least(coalesce(sum(t.context_frequency), 0), 65535),
               coalesce(string_agg(
                   int8send(t.term) || set_byte(set_byte('\x0000', 0, t.content_frequency), 1, t.context_frequency), ''
                   ORDER BY t.term), '')
        FROM memories m LEFT JOIN memory_terms t USING (memory_id)
        WHERE m.status = 'active'
        GROUP BY m.memory_id;
        UPDATE agents SET next_document = counted.documents, indexed_documents = counted.documents,
                          content_words = counted.content_words, context_words = counted.context_words
        FROM (SELECT agent_id, count(*) AS documents, sum(content_words) AS content_words,
                     sum(context_words) AS context_words
              FROM term_documents GROUP BY agent_id) AS counted
        WHERE agents.agent_id = counted.agent_id;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;

CREATE UNIQUE INDEX memories_document ON memories (agent_id, document) WHERE document IS NOT NULL;
DROP TABLE memory_terms;
