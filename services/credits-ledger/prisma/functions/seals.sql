-- The head of an account's seals after one more entry. An entry that does not follow from the earlier ones is sealed as it is, and the head
-- keeps the version of the first such entry.
CREATE OR REPLACE FUNCTION add_to_seal(p_head seal_heads, p_entry entries) RETURNS seal_heads LANGUAGE plpgsql AS $$
BEGIN
  p_head.free := p_head.free + p_entry.free_delta;
  p_head.purchased := p_head.purchased + p_entry.purchased_delta;
  p_head.reserved := p_head.reserved + p_entry.reserved_delta;
  IF p_head.off_at IS NULL AND (
    p_entry.version <> p_head.version + 1 OR p_entry.period < p_head.period OR p_entry.free_after <> p_head.free
    OR p_entry.purchased_after <> p_head.purchased OR p_entry.reserved_after <> p_head.reserved
  ) THEN
    p_head.off_at := p_entry.version;
  END IF;
  p_head.version := p_entry.version;
  p_head.period := p_entry.period;
  p_head.hash := next_seal(p_head.hash, canonical_entry(p_entry));
  RETURN p_head;
END
$$;

-- Entries of transactions below this one are sealed. 0 if the server's transaction ids are below the saved one, as after a load into
-- another server. STABLE, so that plans expect few rows.
CREATE OR REPLACE FUNCTION first_unsealed() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN next_written_in <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint THEN next_written_in ELSE 0
  END FROM sealing
$$;

-- The next link of an account's hash chain.
CREATE OR REPLACE FUNCTION next_seal(p_before bytea, p_entry bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(p_before || p_entry)
$$;

-- The seal of the last of several entries, in the order of their versions.
CREATE OR REPLACE AGGREGATE seal_of (bytea) (SFUNC = next_seal, STYPE = bytea, INITCOND = '');

-- Seals the next `p_most` new entries, those of a transaction together, with earlier unsealed entries of their accounts. Returns how many
-- new entries it read: fewer than `p_most` if there are no more. An account's entries become visible in order, so its chain has no
-- gaps. Compares each entry with the sum of the earlier ones. One sealer runs at a time; others return 0.
CREATE OR REPLACE FUNCTION seal_entries(p_most integer, p_now timestamptz DEFAULT clock_timestamp())
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
-- A connection plans each statement once, perhaps while the tables are still small.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
AS $$
DECLARE
  v_over bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  v_next bigint;
  v_new record;
  v_head seal_heads;
  v_entry entries;
  -- Saved a thousand at a time, because a statement on partitions costs more than a seal.
  v_seals entry_seals[] := '{}';
  v_heads seal_heads[] := '{}';
  v_found integer := 0;
  v_last bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7221611, 0) THEN
    RETURN 0;
  END IF;
  SELECT next_written_in INTO v_next FROM sealing;
  IF v_next > v_over THEN
    -- The database was loaded into another server with lower transaction ids.
    v_next := 0;
  END IF;
  FOR v_new IN
    SELECT n.account_id, max(n.version) AS version, max(n.period) AS period, count(*) AS count,
           max(n.written_in) AS written_in
    FROM (
      SELECT account_id, version, period, written_in FROM entries WHERE written_in >= v_next AND written_in < v_over
      ORDER BY written_in FETCH FIRST (p_most) ROWS WITH TIES
    ) AS n
    GROUP BY n.account_id
  LOOP
    v_found := v_found + v_new.count;
    v_last := greatest(v_last, v_new.written_in);
    v_head := head_of_seals(v_new.account_id);
    FOR v_entry IN
      SELECT * FROM entries
      WHERE account_id = v_new.account_id AND version > v_head.version AND version <= v_new.version
        AND period BETWEEN v_head.period AND v_new.period
      ORDER BY version
    LOOP
      v_head := add_to_seal(v_head, v_entry);
      v_seals := v_seals || (v_entry.account_id, v_entry.version, v_head.hash, p_now, v_entry.period)::entry_seals;
    END LOOP;
    v_heads := v_heads || v_head;
    IF cardinality(v_seals) > 1000 THEN
      PERFORM save_seals(v_seals, v_heads);
      v_seals := '{}'; v_heads := '{}';
    END IF;
  END LOOP;
  PERFORM save_seals(v_seals, v_heads);
  v_next := CASE WHEN v_found < p_most THEN v_over ELSE v_last + 1 END;
  UPDATE sealing SET next_written_in = v_next WHERE next_written_in <> v_next;
  RETURN v_found;
END
$$;

-- The last seal of an account, from which its next one follows.
CREATE OR REPLACE FUNCTION head_of_seals(p_account_id uuid) RETURNS seal_heads LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_head seal_heads;
BEGIN
  SELECT * INTO v_head FROM seal_heads WHERE account_id = p_account_id;
  IF NOT FOUND THEN
    v_head := (p_account_id, 0, '-infinity', '', 0, 0, 0, NULL);
  END IF;
  RETURN v_head;
END
$$;

-- Saves new seals and the heads of their accounts. Ignores seals that exist.
CREATE OR REPLACE FUNCTION save_seals(p_seals entry_seals[], p_heads seal_heads[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entry_seals (account_id, version, hash, sealed_at, period)
  SELECT account_id, version, hash, sealed_at, period FROM unnest(p_seals) ON CONFLICT DO NOTHING;
  INSERT INTO seal_heads SELECT * FROM unnest(p_heads) ON CONFLICT (account_id) DO UPDATE
  SET version = excluded.version, period = excluded.period, hash = excluded.hash, free = excluded.free,
      purchased = excluded.purchased, reserved = excluded.reserved, off_at = excluded.off_at;
END
$$;
