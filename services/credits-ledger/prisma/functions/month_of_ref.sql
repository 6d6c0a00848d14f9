-- The month whose reservations a ref is kept with: that of the time in a UUIDv7. Refs without a time lie before all months.
CREATE OR REPLACE FUNCTION month_of_ref(p_ref text) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_ref ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
    THEN date_trunc('month', uuid_extract_timestamp(p_ref::uuid) AT TIME ZONE 'UTC')::date
    ELSE '-infinity'
  END
$$;
