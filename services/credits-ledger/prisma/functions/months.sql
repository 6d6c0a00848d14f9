-- The UTC day under which use and caps are counted.
CREATE OR REPLACE FUNCTION day_of(p_now timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (p_now AT TIME ZONE 'UTC')::date
$$;

-- The UTC month of free credits, as in `accounts.free_month`.
CREATE OR REPLACE FUNCTION month_of(p_now timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_now AT TIME ZONE 'UTC', 'YYYY-MM')
$$;

-- The month of a ref's reservation: that of the time in its UUIDv7, or '-infinity' for a ref without a time. Avoids regular expressions,
-- which are slow, and stable functions, which would prevent inlining.
CREATE OR REPLACE FUNCTION month_of_ref(p_ref text) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_ref LIKE '________-____-7___-____-____________' AND substr(p_ref, 20, 1) IN ('8', '9', 'a', 'b')
      AND translate(p_ref, '0123456789abcdef', '') = '----'
    THEN date_trunc('month', uuid_extract_timestamp(p_ref::uuid) AT TIME ZONE 'UTC')::date
    ELSE '-infinity'
  END
$$;

-- The first day of the month that is booked in.
CREATE OR REPLACE FUNCTION period_of(p_now timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT date_trunc('month', p_now AT TIME ZONE 'UTC')::date
$$;

-- Whether the partitions of a month are open.
CREATE OR REPLACE FUNCTION month_is_open(p_month date) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM pg_class
    WHERE relnamespace = 'months'::regnamespace AND relispartition AND relname = (
      CASE p_month WHEN '-infinity' THEN 'reservations_before' ELSE 'reservations' || to_char(p_month, '_YYYY_MM') END
    )::name
  )
$$;

-- Creates the partitions of a month, given its first day; returns whether they were missing. Creates the tables first and attaches them
-- when they are complete, so that no statement waits.
CREATE OR REPLACE FUNCTION open_month(p_month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  v_parent text;
  v_like record;
  v_name text;
BEGIN
  PERFORM pg_advisory_xact_lock(7221612, 0);
  IF month_is_open(p_month) THEN
    RETURN false;
  END IF;
  FOREACH v_parent IN ARRAY ARRAY['reservations', 'entries', 'entry_seals'] LOOP
    -- Copies the newest partition; the one before all months is the last choice.
    SELECT relname, reloptions INTO STRICT v_like FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = v_parent::regclass ORDER BY relname LIKE '%before', relname DESC LIMIT 1;
    v_name := v_parent || to_char(p_month, '_YYYY_MM');
    EXECUTE format('CREATE TABLE months.%I (LIKE months.%I INCLUDING ALL)', v_name, v_like.relname);
    IF v_like.reloptions IS NOT NULL THEN
      EXECUTE format('ALTER TABLE months.%I SET (%s)', v_name, array_to_string(v_like.reloptions, ', '));
    END IF;
    IF v_parent <> 'reservations' THEN
      EXECUTE format(
        'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON months.%I
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', v_parent || '_are_append_only', v_name
      );
      EXECUTE format('ALTER TABLE months.%I ENABLE ALWAYS TRIGGER %I', v_name, v_parent || '_are_append_only');
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
      EXECUTE format('REVOKE ALL ON months.%I FROM credits_ledger_app', v_name);
    END IF;
    EXECUTE format(
      'ALTER TABLE %I ATTACH PARTITION months.%I FOR VALUES FROM (%L) TO (%L)', v_parent, v_name, p_month,
      (p_month + interval '1 month')::date
    );
  END LOOP;
  RETURN true;
END
$$;

-- Opens this month and the next `p_ahead`; returns how many were missing.
CREATE OR REPLACE FUNCTION open_months(p_ahead integer, p_now timestamptz DEFAULT clock_timestamp())
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_opened integer := 0;
BEGIN
  FOR v_ahead IN 0..p_ahead LOOP
    v_opened := v_opened + open_month((period_of(p_now) + v_ahead * interval '1 month')::date)::integer;
  END LOOP;
  RETURN v_opened;
END
$$;
