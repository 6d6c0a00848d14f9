-- Makes room for a month, whose first day is given; answers whether it was missing. Nobody is kept waiting: the tables are made
-- aside and attached when they are whole.
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
    -- As the newest one; the one before all months is the last choice.
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
