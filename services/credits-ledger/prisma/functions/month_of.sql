-- The UTC month that free credits belong to, as it is written in `accounts.free_month`.
CREATE OR REPLACE FUNCTION month_of(p_now timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_now AT TIME ZONE 'UTC', 'YYYY-MM')
$$;
