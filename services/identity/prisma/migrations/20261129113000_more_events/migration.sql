ALTER TABLE accounts
  ADD COLUMN digest_more integer NOT NULL DEFAULT 0,
  ADD COLUMN digest_more_taken integer NOT NULL DEFAULT 0;
