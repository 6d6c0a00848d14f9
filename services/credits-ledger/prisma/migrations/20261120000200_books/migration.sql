-- What the ledger remembers. Balances and reservations are derived from `entries` and kept beside them in the same commit.

CREATE TABLE accounts (
  account_id uuid PRIMARY KEY,
  free integer NOT NULL DEFAULT 0 CHECK (free >= 0),
  purchased integer NOT NULL DEFAULT 0 CHECK (purchased >= 0),
  reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  -- The UTC month (YYYY-MM) whose free credits were granted last; '0000-00' before the first grant. Never goes back.
  free_month text NOT NULL DEFAULT '0000-00' CHECK (free_month ~ '^\d{4}-\d{2}$'),
  -- The number of the account's latest entry: 0 before the first, and no number is left out.
  version bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'frozen', 'closed')),
  -- Of the identity service's latest word on `status`; -1 before the first.
  status_version bigint NOT NULL DEFAULT -1,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Every change of every balance, for ever. No foreign key: it would cost the hot path a look-up per entry, and the
-- functions write an entry only for an account that they have locked; the check of the books finds strays.
CREATE TABLE entries (
  account_id uuid NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  kind text NOT NULL CHECK (kind IN ('monthly_grant', 'grant', 'reserve', 'settle', 'release')),
  ref text NOT NULL,
  free_delta integer NOT NULL,
  purchased_delta integer NOT NULL,
  reserved_delta integer NOT NULL,
  free_after integer NOT NULL CHECK (free_after >= 0),
  purchased_after integer NOT NULL CHECK (purchased_after >= 0),
  reserved_after integer NOT NULL CHECK (reserved_after >= 0),
  reason text,
  key_id uuid,
  request_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, version),
  UNIQUE (account_id, kind, ref)
);

-- A reservation is resolved once. One without an account is a tombstone: its release came before its reserve.
CREATE TABLE reservations (
  ref text PRIMARY KEY,
  account_id uuid,
  amount integer NOT NULL,
  from_free integer NOT NULL CHECK (from_free >= 0),
  from_purchased integer NOT NULL CHECK (from_purchased >= 0),
  -- The month that `from_free` belongs to.
  free_month text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'settled', 'released')),
  key_id uuid,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  CHECK (amount = from_free + from_purchased),
  CHECK (CASE WHEN account_id IS NULL THEN amount = 0 AND state = 'released' ELSE amount > 0 END),
  CHECK ((state = 'open') = (resolved_at IS NULL))
) WITH (fillfactor = 85);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER entries_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Also where a session asks for triggers to be skipped.
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_append_only;

-- The role may be missing where the schema is only compared or restored.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE UPDATE, DELETE, TRUNCATE ON entries FROM credits_ledger_app;
    REVOKE DELETE, TRUNCATE ON accounts, reservations FROM credits_ledger_app;
  END IF;
END
$$;
