-- A reservation for a job is charged part by part. What there is of parts stands in a table of its own, so that the reservations of
-- the hot path keep their rows and constraints.
CREATE TABLE reservation_parts (
  ref text PRIMARY KEY,
  -- The price of each part.
  unit integer NOT NULL CHECK (unit > 0),
  -- A bit for each part, the first one for part 1: whether it is charged.
  charged varbit NOT NULL CHECK (length(charged) BETWEEN 1 AND 512),
  credits_charged integer NOT NULL DEFAULT 0,
  CHECK (credits_charged = unit * bit_count(charged))
) WITH (fillfactor = 70);

-- The parts that a settlement charged; null where the reservation has none.
ALTER TABLE entries ADD COLUMN parts smallint[];

-- The kinds of entries. No constraint refers to it: it would be checked for every entry, and a longer list would lock or rewrite
-- the largest table. Functions are the only writers, and the check of the books finds a kind that is not listed.
CREATE TABLE entry_kinds (
  kind text PRIMARY KEY,
  meaning text NOT NULL
);
INSERT INTO entry_kinds VALUES
  ('monthly_grant', 'sets the free credits back to 100 for a new month'),
  ('grant', 'adds purchased credits'),
  ('reserve', 'holds credits: free ones first'),
  ('settle', 'charges what is held, or some parts of it'),
  ('release', 'gives back what is held');

ALTER TABLE entries DROP CONSTRAINT entries_kind_check, DROP CONSTRAINT entries_account_id_kind_ref_key;

-- `in_parts` is open as well, but resolved by other functions than the rest.
ALTER TABLE reservations DROP CONSTRAINT reservations_state_check, DROP CONSTRAINT reservations_check2;
ALTER TABLE reservations ADD CONSTRAINT reservations_state_check CHECK (
  CASE WHEN resolved_at IS NULL THEN state IN ('open', 'in_parts') ELSE state IN ('settled', 'released') END
) NOT VALID;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON reservation_parts, entry_kinds FROM credits_ledger_app;
  END IF;
END
$$;

-- A reservation in parts while its account is locked; `outcome` is null as long as nothing is decided.
CREATE TYPE job_in_parts AS (
  outcome text,
  held reservations,
  parts reservation_parts,
  account accounts,
  told boolean
);
-- A `ledger_answer`, and what became of the parts.
CREATE TYPE parts_answer AS (
  item bigint,
  outcome text,
  account_id uuid,
  free integer,
  purchased integer,
  reserved integer,
  version bigint,
  month text,
  told boolean,
  -- Of the parts that were asked about, those that are charged.
  charged smallint[],
  -- How many parts are still held.
  remaining integer
);
