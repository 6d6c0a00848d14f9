CREATE TABLE receivers (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  name text NOT NULL,
  form text NOT NULL CHECK (form IN ('signed', 'slack', 'discord', 'teams')),
  url text NOT NULL,
  secret_id uuid REFERENCES secrets (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  events text[] NOT NULL,
  named_only boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL,
  disabled_reason text CHECK (disabled_reason IN ('failing', 'gone', 'secret_lost')),
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  failed_on date,
  failed_days smallint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by_key_id uuid,
  updated_by_key_id uuid,
  version bigint NOT NULL,
  deleted_at timestamptz(3),
  CHECK (enabled = (disabled_reason IS NULL AND disabled_at IS NULL)),
  CHECK ((deleted_at IS NULL) = (secret_id IS NOT NULL))
);
CREATE INDEX receivers_by_account ON receivers (account_id, created_at, id);
CREATE INDEX receivers_by_secret ON receivers (secret_id);
CREATE INDEX receivers_by_age ON receivers (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE deliveries ADD COLUMN receiver_id uuid;

-- A chat takes messages one after the other, and says when it takes the next.
ALTER TABLE endpoints ADD COLUMN at_once smallint NOT NULL DEFAULT 16;
ALTER TABLE endpoints ADD COLUMN rests_until timestamptz(3);
