-- Entries of transactions below this one are sealed; as of a server that has not counted as far, all may not be. Stable, so that
-- plans know how few are left.
CREATE OR REPLACE FUNCTION first_unsealed() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN next_written_in <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint THEN next_written_in ELSE 0
  END FROM sealing
$$;
