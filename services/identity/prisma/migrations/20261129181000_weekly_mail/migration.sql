ALTER TABLE accounts
  ADD COLUMN digest_day smallint NOT NULL DEFAULT 1 CONSTRAINT accounts_day_of_a_week CHECK (digest_day BETWEEN 1 AND 7),
  ADD COLUMN weekly_more integer NOT NULL DEFAULT 0,
  ADD COLUMN weekly_more_taken integer NOT NULL DEFAULT 0;
ALTER TABLE digest_items ADD COLUMN weekly boolean NOT NULL DEFAULT false;
