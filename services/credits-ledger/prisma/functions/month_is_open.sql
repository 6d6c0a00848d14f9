-- Whether there is room for a month.
CREATE OR REPLACE FUNCTION month_is_open(p_month date) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'public.reservations'::regclass
      AND relname IN ('reservations_before', 'reservations' || to_char(p_month, '_YYYY_MM'))
      AND (relname = 'reservations_before') = (p_month = '-infinity')
  )
$$;
