ALTER TABLE accounts
  ADD COLUMN refill_threshold integer CHECK (refill_threshold > 0),
  ADD COLUMN refill_version bigint NOT NULL DEFAULT -1,
  ADD COLUMN is_low_for_refill boolean NOT NULL DEFAULT false;

-- Replaced by its text in prisma/functions.
CREATE FUNCTION watch_balance_for_refill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;

-- Contract: unused since 1.0, which sets no threshold of refills, so it fires for none of its rows.
CREATE TRIGGER balances_are_watched_for_refill BEFORE UPDATE ON accounts
  FOR EACH ROW WHEN (NEW.refill_threshold IS NOT NULL) EXECUTE FUNCTION watch_balance_for_refill();
