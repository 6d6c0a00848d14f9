CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  mailbox text NOT NULL,
  status text NOT NULL DEFAULT 'active' CONSTRAINT accounts_status_known CHECK (status IN ('active', 'frozen', 'closed')),
  status_version integer NOT NULL DEFAULT 0,
  status_changed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  tier text NOT NULL DEFAULT 'free' CONSTRAINT accounts_tier_known CHECK (tier IN ('free', 'paid')),
  tier_changed_at timestamptz(3),
  frozen_reason text CONSTRAINT accounts_frozen_reason_known CHECK (frozen_reason IN ('payment_disputed', 'operator')),
  is_disputed boolean NOT NULL DEFAULT false,
  CONSTRAINT accounts_frozen_for_a_reason CHECK ((status = 'frozen') = (frozen_reason IS NOT NULL))
);
CREATE UNIQUE INDEX accounts_email_key ON accounts (email);
CREATE INDEX accounts_mailbox_idx ON accounts (mailbox);
-- New accounts of a registered domain are counted at each sign-up.
CREATE INDEX accounts_by_domain ON accounts (split_part(mailbox, '@', 2), created_at);
CREATE INDEX accounts_status_changed_at_idx ON accounts (status_changed_at);
CREATE INDEX accounts_tier_changed_at_idx ON accounts (tier_changed_at);

CREATE TABLE sign_in_addresses (
  email text PRIMARY KEY,
  challenge_id uuid NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  mailed_at timestamptz(3),
  used_at timestamptz(3),
  wrong_guesses integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3),
  device_guesses integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sign_in_addresses_challenge_id_key ON sign_in_addresses (challenge_id);
CREATE INDEX sign_in_addresses_expires_at_idx ON sign_in_addresses (expires_at);

CREATE TABLE throttle_windows (
  scope text NOT NULL,
  subject text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  hits integer NOT NULL,
  PRIMARY KEY (scope, subject)
);
CREATE INDEX throttle_windows_started_at_idx ON throttle_windows (started_at);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  keyed_digest bytea NOT NULL CONSTRAINT sessions_digest_length CHECK (octet_length(keyed_digest) = 32),
  created_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  idle_expires_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX sessions_keyed_digest_key ON sessions (keyed_digest);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);
CREATE INDEX sessions_idle_expires_at_idx ON sessions (idle_expires_at);

-- A key is revoked from revoke_at on; keys are never deleted.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name text NOT NULL,
  prefix text NOT NULL,
  keyed_digest bytea NOT NULL CONSTRAINT api_keys_digest_length CHECK (octet_length(keyed_digest) = 32),
  sealed_digest bytea NOT NULL,
  daily_credit_cap integer CONSTRAINT api_keys_cap_positive CHECK (daily_credit_cap > 0),
  created_at timestamptz(3) NOT NULL,
  revoke_at timestamptz(3),
  ended_at_once boolean NOT NULL DEFAULT false,
  end_announced boolean NOT NULL DEFAULT false,
  changed_at timestamptz(3),
  last_used_at timestamptz(3),
  replaced_by uuid,
  version integer NOT NULL DEFAULT 0,
  slot smallint NOT NULL CONSTRAINT api_keys_slot_counts_from_0 CHECK (slot >= 0),
  over_limit boolean NOT NULL DEFAULT false,
  session_id uuid,
  -- Of the key of a connected app: what it may do.
  scope text,
  CONSTRAINT api_keys_replaced_ends CHECK (replaced_by IS NULL OR revoke_at IS NOT NULL),
  CONSTRAINT api_keys_at_once_ends CHECK (NOT ended_at_once OR revoke_at IS NOT NULL),
  CONSTRAINT api_keys_over_limit_ends CHECK (NOT over_limit OR revoke_at IS NOT NULL)
);
CREATE UNIQUE INDEX api_keys_keyed_digest_key ON api_keys (keyed_digest);
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id);
CREATE INDEX api_keys_changed_at_idx ON api_keys (changed_at);
CREATE INDEX api_keys_revoke_at_idx ON api_keys (revoke_at);
CREATE INDEX api_keys_end_unannounced_idx ON api_keys (revoke_at) WHERE revoke_at IS NOT NULL AND NOT end_announced;

CREATE TABLE connections (
  key_id uuid PRIMARY KEY REFERENCES api_keys (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  grant_id text NOT NULL,
  host text NOT NULL
);
CREATE UNIQUE INDEX connections_grant_id_key ON connections (grant_id);

CREATE TABLE grant_records (
  kind text NOT NULL,
  keyed_digest bytea NOT NULL CONSTRAINT grant_records_digest_length CHECK (octet_length(keyed_digest) = 32),
  payload text NOT NULL,
  grant_id text,
  sealed_digest bytea,
  consumed_at timestamptz(3),
  -- How often the answer to the use of a refresh token was repeated.
  repeats integer NOT NULL DEFAULT 0,
  -- Of an access token: what it may do, at most what its connection may.
  scope text,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (kind, keyed_digest)
);
CREATE INDEX grant_records_grant_id_idx ON grant_records (grant_id);
CREATE INDEX grant_records_expires_at_idx ON grant_records (expires_at);

CREATE TABLE kept_replies (
  account_id uuid NOT NULL,
  actor text NOT NULL,
  operation text NOT NULL,
  digest bytea NOT NULL,
  asked text NOT NULL,
  nonce uuid NOT NULL,
  key_id uuid NOT NULL,
  reply jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, actor, operation, digest)
);
CREATE INDEX kept_replies_created_at_idx ON kept_replies (created_at);

CREATE TABLE webhook_notices (
  account_id uuid PRIMARY KEY,
  host text NOT NULL,
  changes text[] NOT NULL,
  mail_id uuid NOT NULL,
  is_due boolean NOT NULL,
  mailed_at timestamptz(3)
);

-- Append-only: the trigger refuses updates and deletes.
CREATE TABLE audit_entries (
  id bigserial PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  action text NOT NULL,
  actor text NOT NULL,
  account_id uuid NOT NULL,
  key_id uuid,
  request_id text NOT NULL,
  client_address text,
  detail text,
  acting_key_id uuid
);
CREATE INDEX audit_entries_account_id_at_idx ON audit_entries (account_id, at);

-- Replaced by its text in prisma/functions.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only';
END
$$;

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
