-- Only the functions in `functions/` write to these tables, except for deleted batches of usage and the accounts of keys.

CREATE TABLE accounts (
  account_id     uuid        PRIMARY KEY,
  free           integer     NOT NULL DEFAULT 0,
  purchased      integer     NOT NULL DEFAULT 0,
  reserved       integer     NOT NULL DEFAULT 0,
  -- The UTC month of the newest free credits.
  free_month     text        NOT NULL DEFAULT '0000-00' CHECK (free_month ~ '^\d{4}-\d{2}$'),
  -- The number of the newest entry.
  version        bigint      NOT NULL DEFAULT 0 CHECK (version >= 0),
  status         text        NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'frozen', 'closed')),
  status_version bigint      NOT NULL DEFAULT -1,
  created_at     timestamptz NOT NULL,
  -- The number of the newest line: an entry that changes what the account owns.
  lines          bigint      NOT NULL DEFAULT 0,
  debt           integer     NOT NULL DEFAULT 0,
  -- The month that it books in.
  period         date        NOT NULL DEFAULT '-infinity',
  -- The threshold of the low-balance event, and the version of the webhook with it; NULL for none.
  low_threshold  integer     CHECK (low_threshold > 0),
  low_threshold_version bigint NOT NULL DEFAULT -1,
  is_low         boolean     NOT NULL DEFAULT false,
  CONSTRAINT accounts_buckets_check CHECK (least(free, purchased, reserved, debt) >= 0)
) WITH (fillfactor = 70);

-- Every change of a balance fires it; accounts without a threshold pay for a comparison.
CREATE FUNCTION watch_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER balances_are_watched BEFORE UPDATE ON accounts
  FOR EACH ROW WHEN (NEW.low_threshold IS NOT NULL) EXECUTE FUNCTION watch_balance();

-- The number of an account's lines at the beginning of a month, so that a page reads its months only.
CREATE TABLE account_months (
  account_id   uuid   NOT NULL,
  period       date   NOT NULL,
  lines_before bigint NOT NULL,
  PRIMARY KEY (account_id, period)
);

-- The kinds of entries. The check of the books refers to it; a constraint would cost every entry a look-up.
CREATE TABLE entry_kinds (
  kind    text PRIMARY KEY,
  meaning text NOT NULL
);
INSERT INTO entry_kinds VALUES
  ('monthly_grant', 'sets the free credits back to 100 for a new month'),
  ('grant', 'adds purchased credits'),
  ('reserve', 'holds credits: free ones first'),
  ('settle', 'charges items of what is held'),
  ('release', 'gives items of what is held back'),
  ('charge', 'charges items that were delivered and are not held'),
  ('refund', 'gives items that were charged back, as purchased credits'),
  ('debt_taken', 'adds purchased credits that the account owes'),
  ('debt_paid', 'takes purchased credits for what the account owes'),
  ('dispute', 'takes purchased credits back, whose payment was disputed'),
  ('purchase_refund', 'takes a purchase back, or some of it, whose money is given back');

-- Tables that grow for ever are partitioned by month.
CREATE SCHEMA months;

CREATE TABLE entries (
  account_id      uuid        NOT NULL,
  version         bigint      NOT NULL CONSTRAINT entries_version_check CHECK (version > 0),
  kind            text        NOT NULL,
  ref             text        NOT NULL,
  free_delta      integer     NOT NULL,
  purchased_delta integer     NOT NULL,
  reserved_delta  integer     NOT NULL,
  free_after      integer     NOT NULL,
  purchased_after integer     NOT NULL,
  reserved_after  integer     NOT NULL,
  reason          text,
  key_id          uuid,
  request_id      text,
  created_at      timestamptz NOT NULL,
  subject         jsonb,
  line            bigint,
  -- The transaction that wrote it: entries are sealed in this order.
  written_in      bigint      DEFAULT pg_current_xact_id()::text::bigint,
  -- The items of its reservation that it charges or releases.
  items           smallint[],
  job_id          uuid,
  period          date        NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')::date,
  CONSTRAINT entries_buckets_check CHECK (least(free_after, purchased_after, reserved_after) >= 0)
) PARTITION BY RANGE (period);

-- The chain of hashes over an account's entries.
CREATE TABLE entry_seals (
  account_id uuid        NOT NULL,
  version    bigint      NOT NULL,
  hash       bytea       NOT NULL,
  sealed_at  timestamptz NOT NULL,
  period     date        NOT NULL
) PARTITION BY RANGE (period);

-- Credits held for items of work. Each item is charged or released once. The first bit is item 1; bit strings may differ in length.
CREATE TABLE reservations (
  ref            text        NOT NULL,
  -- NULL for a ref that was released before it was reserved.
  account_id     uuid,
  unit           integer     NOT NULL,
  -- Items that were held, of those that were requested.
  items          varbit      NOT NULL,
  -- Also delivered items that were charged without being held.
  charged        varbit      NOT NULL,
  released     varbit      NOT NULL,
  refunded       varbit      NOT NULL,
  held_free      integer     NOT NULL,
  held_purchased integer     NOT NULL,
  free_month     text        NOT NULL,
  -- Why not all requested items were held.
  lacked         text,
  key_id         uuid,
  created_at     timestamptz NOT NULL,
  resolved_at    timestamptz,
  reason         text,
  request_id     text,
  subject        jsonb,
  job_id         uuid,
  ref_month      date        NOT NULL DEFAULT '-infinity',
  CONSTRAINT reservations_account_check CHECK (CASE WHEN account_id IS NULL THEN items = '' AND charged = '' ELSE unit > 0 END),
  CONSTRAINT reservations_held_check CHECK (least(held_free, held_purchased) >= 0),
  CONSTRAINT reservations_resolved_check CHECK ((held_free + held_purchased = 0) = (resolved_at IS NOT NULL))
) PARTITION BY RANGE (ref_month);

-- Partitions before all months, for refs without a time.
CREATE TABLE months.entries_before PARTITION OF entries FOR VALUES FROM (MINVALUE) TO ('1970-01-01');
CREATE TABLE months.entry_seals_before PARTITION OF entry_seals FOR VALUES FROM (MINVALUE) TO ('1970-01-01');
CREATE TABLE months.reservations_before PARTITION OF reservations FOR VALUES FROM (MINVALUE) TO ('1970-01-01')
  WITH (fillfactor = 85);
ALTER TABLE months.entries_before ADD CONSTRAINT entries_pkey PRIMARY KEY (account_id, version);
ALTER TABLE months.entry_seals_before ADD CONSTRAINT entry_seals_pkey PRIMARY KEY (account_id, version);
ALTER TABLE months.reservations_before ADD CONSTRAINT reservations_pkey PRIMARY KEY (ref);

CREATE UNIQUE INDEX entries_account_id_line_idx ON months.entries_before (account_id, line) WHERE line IS NOT NULL;
CREATE INDEX entries_account_id_key_id_line_idx ON months.entries_before (account_id, key_id, line) WHERE line IS NOT NULL;
CREATE INDEX entries_account_id_job_id_line_idx ON months.entries_before (account_id, job_id, line)
  WHERE line IS NOT NULL AND job_id IS NOT NULL;
CREATE UNIQUE INDEX entries_once_per_ref ON months.entries_before (account_id, kind, ref) WHERE reserved_delta = 0 AND items IS NULL;
CREATE INDEX entries_written_in_idx ON months.entries_before (written_in) WHERE written_in IS NOT NULL;
CREATE INDEX reservations_open_idx ON months.reservations_before (reason, created_at, ref) WHERE resolved_at IS NULL;
CREATE INDEX reservations_job_idx ON months.reservations_before (account_id, job_id) WHERE job_id IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

-- A statement on a partition fires only that partition's triggers, so every month has them.
DO $$
DECLARE
  v_table text;
  v_of text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['entries', 'entry_seals'] LOOP
    FOREACH v_of IN ARRAY ARRAY[v_table, format('months.%s_before', v_table)] LOOP
      EXECUTE format(
        'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %s
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', v_table || '_are_append_only', v_of
      );
      EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', v_of, v_table || '_are_append_only');
    END LOOP;
  END LOOP;
END
$$;

-- Opens this month and the next three. `open_month` opens later ones in the same way.
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

CREATE TABLE key_days (
  account_id      uuid    NOT NULL,
  day             date    NOT NULL,
  key_id          uuid    NOT NULL,
  credits_used    integer NOT NULL DEFAULT 0,
  credits_charged integer NOT NULL DEFAULT 0,
  reserved        integer NOT NULL DEFAULT 0,
  settled         integer NOT NULL DEFAULT 0,
  -- Settled items of jobs and of searches.
  job_rows        integer NOT NULL DEFAULT 0,
  search_pages    integer NOT NULL DEFAULT 0,
  released        integer NOT NULL DEFAULT 0,
  lines           integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, key_id),
  CONSTRAINT key_days_counts_check CHECK (least(credits_used, credits_charged, reserved, settled, job_rows, search_pages, released) >= 0)
) WITH (fillfactor = 70);
CREATE INDEX key_days_day_account_id_idx ON key_days (day, account_id);

-- Keys that share the daily limit of another key, after a rotation.
CREATE TABLE key_limits (
  account_id uuid NOT NULL,
  limit_id   uuid NOT NULL,
  key_id     uuid NOT NULL,
  PRIMARY KEY (account_id, limit_id, key_id)
);

CREATE TABLE key_owners (
  key_id     uuid PRIMARY KEY,
  account_id uuid NOT NULL
);

CREATE TABLE usage_days (
  account_id uuid   NOT NULL,
  day        date   NOT NULL,
  key_id     uuid   NOT NULL,
  requests   bigint NOT NULL DEFAULT 0 CHECK (requests >= 0),
  cache_hits bigint NOT NULL DEFAULT 0 CHECK (cache_hits >= 0),
  failures   bigint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  PRIMARY KEY (account_id, day, key_id)
) WITH (fillfactor = 70);
CREATE TABLE usage_batches (
  id          uuid        PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX usage_batches_received_at_idx ON usage_batches (received_at);

-- One row: the transaction up to which all entries are sealed.
CREATE TABLE sealing (
  is_only         boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  next_written_in bigint  NOT NULL
);
INSERT INTO sealing (next_written_in) VALUES (0);

-- The newest seal of each account, and the sum of its sealed entries.
CREATE TABLE seal_heads (
  account_id uuid    PRIMARY KEY,
  version    bigint  NOT NULL,
  period     date    NOT NULL,
  hash       bytea   NOT NULL,
  free       integer NOT NULL,
  purchased  integer NOT NULL,
  reserved   integer NOT NULL,
  -- The first entry that did not follow from the one before it.
  off_at     bigint
) WITH (fillfactor = 70);

-- The request of a reservation or a charge.
CREATE TYPE items_request AS (
  ref text,
  account_id uuid,
  unit integer,
  items smallint[],
  coverage text,
  key_id uuid,
  limit_id uuid,
  daily_cap bigint,
  request_id text,
  reason text,
  subject jsonb,
  job_id uuid
);

-- The balance; and for operations on items: those held, those charged, why not all are held, and what the cap leaves.
CREATE TYPE ledger_answer AS (
  outcome text,
  account_id uuid,
  free integer,
  purchased integer,
  reserved integer,
  version bigint,
  month text,
  has_events boolean,
  held smallint[],
  charged smallint[],
  lacked text,
  cap_left bigint
);

-- Purchases in their order: blocks of purchased credits that can be taken back.
CREATE TABLE blocks (
  -- Billing's ref of the purchase.
  ref text PRIMARY KEY,
  account_id uuid NOT NULL,
  -- The order of an account's purchases; drawn under the account's lock.
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  amount integer NOT NULL CHECK (amount > 0),
  -- The credits that are not taken back.
  net integer NOT NULL CHECK (net BETWEEN 0 AND amount),
  -- The number of corrections; it names their entries.
  changes integer NOT NULL DEFAULT 0,
  granted_at timestamptz NOT NULL
);
CREATE INDEX blocks_in_order ON blocks (account_id, number);
CREATE INDEX blocks_by_age ON blocks (granted_at, ref);

-- The service's role cannot write money without a function.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE ALL ON SCHEMA months FROM credits_ledger_app;
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA months FROM credits_ledger_app;
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE
      ON accounts, account_months, blocks, entries, entry_kinds, entry_seals, key_days, key_limits, reservations,
         seal_heads, sealing
      FROM credits_ledger_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON key_owners FROM credits_ledger_app;
    REVOKE UPDATE, TRUNCATE ON usage_batches FROM credits_ledger_app;
    REVOKE DELETE, TRUNCATE ON usage_days FROM credits_ledger_app;
  END IF;
END
$$;

CREATE TABLE requests (
  account_id uuid NOT NULL,
  request_id uuid NOT NULL,
  key_id uuid,
  route text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  credits_charged integer NOT NULL,
  duration_ms integer NOT NULL,
  video_id text,
  job_id uuid,
  PRIMARY KEY (request_id, account_id)
);
CREATE INDEX requests_account_id_request_id_idx ON requests (account_id, request_id);
CREATE INDEX requests_account_id_code_request_id_idx ON requests (account_id, code, request_id);
CREATE INDEX requests_account_id_key_id_request_id_idx ON requests (account_id, key_id, request_id);
