ALTER TABLE accounts ADD COLUMN mail_threshold integer CHECK (mail_threshold > 0), ADD COLUMN is_low_for_mail boolean NOT NULL DEFAULT false;

CREATE OR REPLACE TRIGGER balances_are_watched BEFORE UPDATE ON accounts
  FOR EACH ROW WHEN (NEW.low_threshold IS NOT NULL OR NEW.mail_threshold IS NOT NULL) EXECUTE FUNCTION watch_balance();
