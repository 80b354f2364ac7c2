-- The languages in which an organization's texts are stemmed (docs/languages.md). The column `language` is of earlier
-- versions and was never used.

-- `former_languages` are of terms that are still to be made anew, since `languages_changed_at`.
ALTER TABLE organizations
    ADD COLUMN languages text[] NOT NULL DEFAULT '{english}',
    ADD COLUMN former_languages text[] NOT NULL DEFAULT '{}',
    ADD COLUMN languages_changed_at timestamptz;

-- The organization's languages when the terms were made, with commas; NULL: by an earlier version, in English.
ALTER TABLE term_documents ADD COLUMN languages text;
