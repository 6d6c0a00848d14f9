-- What an account owes: charged or taken back while it had nothing left. Whatever purchased credits come in pay it first.
ALTER TABLE accounts ADD COLUMN debt integer NOT NULL DEFAULT 0;

-- One constraint for all buckets: each is parsed for every statement that writes the table.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_free_check, DROP CONSTRAINT accounts_purchased_check, DROP CONSTRAINT accounts_reserved_check,
  ADD CONSTRAINT accounts_buckets_check CHECK (least(free, purchased, reserved, debt) >= 0) NOT VALID;

INSERT INTO entry_kinds VALUES
  ('debt_taken', 'adds purchased credits that the account owes'),
  ('debt_paid', 'takes purchased credits for what the account owes'),
  ('dispute', 'takes purchased credits back, whose payment was disputed');
