-- One constraint for all buckets: each is parsed for every statement that writes the table. The months have them of their own, too.
DO $$
DECLARE
  v_check text;
  v_month text;
BEGIN
  FOREACH v_check IN ARRAY ARRAY['entries_free_after_check', 'entries_purchased_after_check', 'entries_reserved_after_check'] LOOP
    EXECUTE format('ALTER TABLE entries DROP CONSTRAINT %I', v_check);
    FOR v_month IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'entries'::regclass LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', v_month, v_check);
    END LOOP;
  END LOOP;
END
$$;
ALTER TABLE entries
  ADD CONSTRAINT entries_buckets_check CHECK (least(free_after, purchased_after, reserved_after) >= 0) NOT VALID;
