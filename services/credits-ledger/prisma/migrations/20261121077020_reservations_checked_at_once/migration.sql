-- As with entries.
DO $$
DECLARE
  v_check text;
  v_month text;
BEGIN
  FOREACH v_check IN ARRAY ARRAY['reservations_from_free_check', 'reservations_from_purchased_check'] LOOP
    EXECUTE format('ALTER TABLE reservations DROP CONSTRAINT %I', v_check);
    FOR v_month IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'reservations'::regclass LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', v_month, v_check);
    END LOOP;
  END LOOP;
END
$$;
ALTER TABLE reservations ADD CONSTRAINT reservations_from_check CHECK (least(from_free, from_purchased) >= 0) NOT VALID;
