-- The month whose reservations a ref is kept with: that of the time in a UUIDv7. Refs without a time lie before all months. Without a
-- regular expression, which would take most of the time, and nothing that is only stable, or plans would call it as a function.
CREATE OR REPLACE FUNCTION month_of_ref(p_ref text) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_ref LIKE '________-____-7___-____-____________' AND substr(p_ref, 20, 1) IN ('8', '9', 'a', 'b')
      AND translate(p_ref, '0123456789abcdef', '') = '----'
    THEN date_trunc('month', uuid_extract_timestamp(p_ref::uuid) AT TIME ZONE 'UTC')::date
    ELSE '-infinity'
  END
$$;
