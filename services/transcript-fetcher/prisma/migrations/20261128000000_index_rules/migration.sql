-- By which rules the words of an entry were indexed.
ALTER TABLE library_entries ADD COLUMN index_rules smallint NOT NULL DEFAULT 0;
