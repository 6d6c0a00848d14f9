ALTER TABLE accounts ADD COLUMN mail_threshold integer CHECK (mail_threshold > 0), ADD COLUMN is_low_for_mail boolean NOT NULL DEFAULT false;

-- Replaced by its text in prisma/functions.
CREATE FUNCTION watch_balance_for_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;

-- Contract: unused since 1.0, which sets no threshold of mails, so it fires for none of its rows.
CREATE TRIGGER balances_are_watched_for_mail BEFORE UPDATE ON accounts
  FOR EACH ROW WHEN (NEW.mail_threshold IS NOT NULL) EXECUTE FUNCTION watch_balance_for_mail();
