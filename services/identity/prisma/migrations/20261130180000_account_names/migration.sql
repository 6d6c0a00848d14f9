ALTER TABLE accounts ADD COLUMN name text,
    ADD COLUMN name_version bigint NOT NULL DEFAULT 0;
