-- The month that is booked in: its first day.
CREATE OR REPLACE FUNCTION period_of(p_now timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT date_trunc('month', p_now AT TIME ZONE 'UTC')::date
$$;
