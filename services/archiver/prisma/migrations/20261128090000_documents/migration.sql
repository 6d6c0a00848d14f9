ALTER TABLE archives
    ADD COLUMN kind      text NOT NULL DEFAULT 'files',
    ADD COLUMN max_words integer;
