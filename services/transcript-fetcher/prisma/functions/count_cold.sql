-- Counts one more unless that is beyond the cap; answers whether it did.
CREATE OR REPLACE FUNCTION count_cold(p_scope text, p_day date, p_most integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cold_counts AS c (scope, day, count) SELECT p_scope, p_day, 1 WHERE p_most > 0
  ON CONFLICT (scope, day) DO UPDATE SET count = c.count + 1 WHERE c.count < p_most;
  RETURN FOUND;
END
$$;
