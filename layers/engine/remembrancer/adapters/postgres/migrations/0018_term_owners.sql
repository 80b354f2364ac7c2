-- The index of words belongs to end users: what somebody may not read has no part in what is counted for them.

-- Whose each document is, '' for nobody. Versions before this one do not say; the trigger below does.
ALTER TABLE term_documents ADD COLUMN user_id text;

-- What the live documents of one owner in one agent amount to; those below merged_documents are in index_blocks, and
-- `waiting` counts the others.
CREATE TABLE index_owners (
    org_id           uuid NOT NULL,
    agent_id         uuid NOT NULL,
    user_id          text NOT NULL,
    documents        integer NOT NULL,
    content_words    bigint NOT NULL,
    context_words    bigint NOT NULL,
    waiting          integer NOT NULL,
    merged_documents integer NOT NULL DEFAULT 0,
    merged_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, user_id),
    FOREIGN KEY (org_id, agent_id) REFERENCES agents (org_id, agent_id) ON DELETE CASCADE
);
CREATE INDEX index_owners_organization ON index_owners (org_id, waiting);

-- As term_blocks was, for each owner by itself.
CREATE TABLE index_blocks (
    org_id          uuid NOT NULL,
    term            bigint NOT NULL,
    agent_id        uuid NOT NULL,
    user_id         text NOT NULL,
    block           integer NOT NULL,
    postings        integer NOT NULL,
    packed          bytea NOT NULL,
    PRIMARY KEY (org_id, term, agent_id, user_id, block),
    FOREIGN KEY (org_id, agent_id) REFERENCES agents (org_id, agent_id) ON DELETE CASCADE
);
-- For the cascade from agents.
CREATE INDEX index_blocks_agent ON index_blocks (org_id, agent_id);
ALTER TABLE index_blocks ALTER COLUMN packed SET STORAGE EXTERNAL;

DO $$
DECLARE
    tenant_table text;
    organization uuid;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['index_owners', 'index_blocks']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY one_organization ON %I USING (org_id = current_org())', tenant_table);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO remembrancer_app', tenant_table);
    END LOOP;

    -- The owner is bound by the policies too, so one organization after the other.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        -- Agents that nobody in particular told anything keep their blocks.
        INSERT INTO index_blocks (org_id, term, agent_id, user_id, block, postings, packed)
        SELECT b.org_id, b.term, b.agent_id, '', b.block, b.postings, b.packed FROM term_blocks b
        WHERE b.agent_id NOT IN (
            SELECT agent_id FROM memories WHERE document IS NOT NULL AND user_id IS NOT NULL);
        -- Of the others everything waits to be merged again, and what left has nothing to be taken out of.
        DELETE FROM term_documents
        WHERE left_at IS NOT NULL AND agent_id IN (
            SELECT agent_id FROM memories WHERE document IS NOT NULL AND user_id IS NOT NULL);
        UPDATE term_documents t SET user_id = coalesce((
            SELECT m.user_id FROM memories m WHERE m.agent_id = t.agent_id AND m.document = t.document), '');
        INSERT INTO index_owners (
            org_id, agent_id, user_id, documents, content_words, context_words, waiting, merged_documents)
        SELECT t.org_id, t.agent_id, t.user_id, count(*), sum(t.content_words), sum(t.context_words),
               count(*) FILTER (WHERE t.document >= kept.through), max(kept.through)
        FROM term_documents t JOIN (
            SELECT a.agent_id, CASE WHEN EXISTS (
                SELECT FROM memories m
                WHERE m.agent_id = a.agent_id AND m.document IS NOT NULL AND m.user_id IS NOT NULL
            ) THEN 0 ELSE a.merged_documents END AS through
            FROM agents a) AS kept USING (agent_id)
        WHERE t.left_at IS NULL
        GROUP BY t.org_id, t.agent_id, t.user_id;
        -- Versions before this one find everything in term_documents, and merge it again for themselves.
        UPDATE agents SET merged_documents = 0;
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;

TRUNCATE term_blocks;
ALTER TABLE term_documents ALTER COLUMN user_id SET NOT NULL;
CREATE INDEX term_documents_owner ON term_documents (agent_id, user_id, document);
-- memories_document_user and term_blocks serve the versions before this one only.

CREATE FUNCTION name_document_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.user_id := coalesce((
        SELECT m.user_id FROM memories m
        WHERE m.org_id = NEW.org_id AND m.agent_id = NEW.agent_id AND m.document = NEW.document), '');
    RETURN NEW;
END $$;
CREATE TRIGGER name_document_owner BEFORE INSERT ON term_documents
    FOR EACH ROW WHEN (NEW.user_id IS NULL) EXECUTE FUNCTION name_document_owner();

-- Counted here, so that no version of the code can change the documents and not the counts.
CREATE FUNCTION count_entered_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO index_owners AS o (org_id, agent_id, user_id, documents, content_words, context_words, waiting)
    SELECT org_id, agent_id, user_id, count(*), sum(content_words), sum(context_words), count(*)
    FROM entered WHERE left_at IS NULL
    GROUP BY org_id, agent_id, user_id ORDER BY agent_id, user_id
    ON CONFLICT (agent_id, user_id) DO UPDATE
        SET documents = o.documents + EXCLUDED.documents, content_words = o.content_words + EXCLUDED.content_words,
            context_words = o.context_words + EXCLUDED.context_words, waiting = o.waiting + EXCLUDED.waiting;
    RETURN NULL;
END $$;
CREATE TRIGGER count_entered_documents AFTER INSERT ON term_documents
    REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION count_entered_documents();

CREATE FUNCTION count_left_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE index_owners o
    SET documents = o.documents - gone.documents, content_words = o.content_words - gone.content_words,
        context_words = o.context_words - gone.context_words
    FROM (SELECT now.org_id, now.agent_id, now.user_id, count(*) AS documents, sum(now.content_words) AS content_words,
                 sum(now.context_words) AS context_words
          FROM after now JOIN before ON before.agent_id = now.agent_id AND before.document = now.document
          WHERE before.left_at IS NULL AND now.left_at IS NOT NULL
          GROUP BY now.org_id, now.agent_id, now.user_id) AS gone
    WHERE o.org_id = gone.org_id AND o.agent_id = gone.agent_id AND o.user_id = gone.user_id;
    RETURN NULL;
END $$;
CREATE TRIGGER count_left_documents AFTER UPDATE ON term_documents
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_left_documents();
