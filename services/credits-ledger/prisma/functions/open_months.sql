-- Opens this month and the next `p_ahead`; answers how many were missing.
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
