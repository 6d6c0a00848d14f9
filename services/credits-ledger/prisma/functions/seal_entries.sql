-- Seals the next `p_most` new entries, all of a transaction together, and what their accounts have before them; answers how
-- many it has looked at: fewer than asked for if there are no more. An account's entries become visible in their order,
-- so the chain is never torn. One sealer at a time: others answer 0.
CREATE OR REPLACE FUNCTION seal_entries(p_most integer, p_now timestamptz DEFAULT clock_timestamp())
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
-- A connection plans each statement once, maybe while the tables are still small, and they grow.
SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  v_over bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  v_next bigint;
  v_new record;
  v_seal entry_seals;
  v_entry entries;
  v_found integer := 0;
  v_last bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7221611, 0) THEN
    RETURN 0;
  END IF;
  SELECT next_written_in INTO v_next FROM sealing;
  IF v_next > v_over THEN
    -- Loaded into another server, which has not counted as far.
    v_next := 0;
  END IF;
  FOR v_new IN
    SELECT n.account_id, max(n.version) AS version, count(*) AS count, max(n.written_in) AS written_in
    FROM (
      SELECT account_id, version, written_in FROM entries WHERE written_in >= v_next AND written_in < v_over
      ORDER BY written_in FETCH FIRST (p_most) ROWS WITH TIES
    ) AS n
    GROUP BY n.account_id
  LOOP
    v_found := v_found + v_new.count;
    v_last := greatest(v_last, v_new.written_in);
    v_seal := NULL;
    SELECT * INTO v_seal FROM entry_seals WHERE account_id = v_new.account_id ORDER BY version DESC LIMIT 1;
    v_seal.hash := coalesce(v_seal.hash, '');
    FOR v_entry IN
      SELECT * FROM entries
      WHERE account_id = v_new.account_id AND version > coalesce(v_seal.version, 0) AND version <= v_new.version
      ORDER BY version
    LOOP
      v_seal.hash := next_seal(v_seal.hash, canonical_entry(v_entry));
      INSERT INTO entry_seals VALUES (v_entry.account_id, v_entry.version, v_seal.hash, p_now);
    END LOOP;
  END LOOP;
  v_next := CASE WHEN v_found < p_most THEN v_over ELSE v_last + 1 END;
  UPDATE sealing SET next_written_in = v_next WHERE next_written_in <> v_next;
  RETURN v_found;
END
$$;
