ALTER TABLE accounts
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN digest_hour smallint NOT NULL DEFAULT 8 CONSTRAINT accounts_hour_of_a_day CHECK (digest_hour BETWEEN 0 AND 23),
  ADD COLUMN event_mails boolean NOT NULL DEFAULT true;

CREATE TABLE digest_items (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  notice jsonb NOT NULL,
  mail_id uuid,
  mailed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX digest_items_account_id_created_at_idx ON digest_items (account_id, created_at);
CREATE INDEX digest_items_created_at_idx ON digest_items (created_at);
