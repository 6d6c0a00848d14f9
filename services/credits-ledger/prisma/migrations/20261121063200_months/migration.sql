-- The three large tables become months. Those of the releases before become what lies before all months; functions of the
-- release before work with both.

-- In the order in which operations take them.
LOCK TABLE reservations, accounts, entries, entry_seals IN ACCESS EXCLUSIVE MODE;

-- Months are written and read through their tables.
CREATE SCHEMA months;
ALTER TABLE reservations SET SCHEMA months;
ALTER TABLE entries SET SCHEMA months;
ALTER TABLE entry_seals SET SCHEMA months;
ALTER TABLE months.reservations RENAME TO reservations_before;
ALTER TABLE months.entries RENAME TO entries_before;
ALTER TABLE months.entry_seals RENAME TO entry_seals_before;
-- An operation of the release before, which names no period, books in this month, as those of this release do.
ALTER TABLE months.entries_before ALTER COLUMN period SET DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')::date;
-- The sealer of the release before fails once, and is called again a minute later.
ALTER TABLE months.entry_seals_before ALTER COLUMN period DROP DEFAULT;

CREATE TABLE reservations (LIKE months.reservations_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
  PARTITION BY RANGE (ref_month);
CREATE TABLE entries (LIKE months.entries_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (period);
CREATE TABLE entry_seals (LIKE months.entry_seals_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
  PARTITION BY RANGE (period);
ALTER TABLE reservations DROP CONSTRAINT reservations_are_before;
ALTER TABLE entries DROP CONSTRAINT entries_are_before;
ALTER TABLE entry_seals DROP CONSTRAINT entry_seals_are_before;

-- What has no month: refs without a time, and what was booked before there were months.
ALTER TABLE reservations ATTACH PARTITION months.reservations_before FOR VALUES FROM (MINVALUE) TO ('1970-01-01');
ALTER TABLE entries ATTACH PARTITION months.entries_before FOR VALUES FROM (MINVALUE) TO ('1970-01-01');
ALTER TABLE entry_seals ATTACH PARTITION months.entry_seals_before FOR VALUES FROM (MINVALUE) TO ('1970-01-01');
ALTER TABLE months.reservations_before DROP CONSTRAINT reservations_are_before;
ALTER TABLE months.entries_before DROP CONSTRAINT entries_are_before;
ALTER TABLE months.entry_seals_before DROP CONSTRAINT entry_seals_are_before;

-- Statements on a table fire its own triggers only, so every month has them, too.
CREATE TRIGGER entries_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_append_only;
CREATE TRIGGER entry_seals_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE entry_seals ENABLE ALWAYS TRIGGER entry_seals_are_append_only;

-- This month and the next three. Later ones are opened by `open_month`, which does the same.
DO $$
DECLARE
  v_month date;
  v_table text;
  v_name text;
BEGIN
  FOR v_month IN
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month')::date FROM generate_series(0, 3) AS n
  LOOP
    FOREACH v_table IN ARRAY ARRAY['reservations', 'entries', 'entry_seals'] LOOP
      v_name := v_table || to_char(v_month, '_YYYY_MM');
      EXECUTE format(
        'CREATE TABLE months.%I (LIKE months.%I INCLUDING ALL)%s', v_name, v_table || '_before',
        CASE v_table WHEN 'reservations' THEN ' WITH (fillfactor = 85)' ELSE '' END
      );
      IF v_table <> 'reservations' THEN
        EXECUTE format(
          'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON months.%I
           FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', v_table || '_are_append_only', v_name
        );
        EXECUTE format('ALTER TABLE months.%I ENABLE ALWAYS TRIGGER %I', v_name, v_table || '_are_append_only');
      END IF;
      EXECUTE format(
        'ALTER TABLE %I ATTACH PARTITION months.%I FOR VALUES FROM (%L) TO (%L)', v_table, v_name, v_month,
        v_month + interval '1 month'
      );
    END LOOP;
  END LOOP;
END
$$;

-- How many lines an account had when its month began, so that a page is looked for in its months only.
CREATE TABLE account_months (
  account_id uuid NOT NULL,
  period date NOT NULL,
  lines_before bigint NOT NULL,
  PRIMARY KEY (account_id, period)
);

-- The newest seal of each account, and the balance that its entries add up to by then.
CREATE TABLE seal_heads (
  account_id uuid PRIMARY KEY,
  version bigint NOT NULL,
  period date NOT NULL,
  hash bytea NOT NULL,
  free integer NOT NULL,
  purchased integer NOT NULL,
  reserved integer NOT NULL,
  -- The first entry that did not follow from the one before it.
  off_at bigint
) WITH (fillfactor = 70);

-- Beside `ledger_account`, `ledger_reservation`, `ledger_entry` and `job_in_parts`, which the functions of the release before use.
CREATE TYPE booked_account AS (
  account_id uuid,
  free integer,
  purchased integer,
  reserved integer,
  free_month text,
  version bigint,
  status text,
  lines bigint,
  -- Whether this call has granted the month's credits.
  told boolean,
  period date
);
CREATE TYPE booked_reservation AS (
  ref text,
  account_id uuid,
  amount integer,
  from_free integer,
  from_purchased integer,
  free_month text,
  state text,
  key_id uuid,
  created_at timestamptz,
  resolved_at timestamptz,
  reason text,
  request_id text,
  subject jsonb,
  ref_month date
);
CREATE TYPE booked_entry AS (
  account_id uuid,
  version bigint,
  kind text,
  ref text,
  free_delta integer,
  purchased_delta integer,
  reserved_delta integer,
  free_after integer,
  purchased_after integer,
  reserved_after integer,
  reason text,
  key_id uuid,
  request_id text,
  created_at timestamptz,
  subject jsonb,
  line bigint,
  period date
);
-- A reservation in parts while its account is locked; `outcome` is null as long as nothing is decided.
CREATE TYPE booked_job AS (
  outcome text,
  held reservations,
  parts reservation_parts,
  account accounts,
  told boolean
);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE ALL ON SCHEMA months FROM credits_ledger_app;
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA months FROM credits_ledger_app;
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON reservations, entries, entry_seals, account_months, seal_heads
      FROM credits_ledger_app;
  END IF;
END
$$;
