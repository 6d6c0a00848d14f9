-- The UTC day that use and caps are counted on.
CREATE OR REPLACE FUNCTION day_of(p_now timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (p_now AT TIME ZONE 'UTC')::date
$$;
