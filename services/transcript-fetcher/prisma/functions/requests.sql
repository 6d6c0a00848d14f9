-- Waives a request. If it has no operation yet, a failed one takes its place, so that it never opens one. Voids its own charge, or that of
-- the read that it joined and reported, and saves the settlement p_settlement for it. Returns the settlement if there is one.
CREATE OR REPLACE FUNCTION waive_request(p_request jsonb, p_error jsonb, p_settlement uuid) RETURNS jsonb LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  v_given operations := jsonb_populate_record(NULL::operations, p_request);
  v_is_new boolean;
  v_settlement jsonb;
BEGIN
  PERFORM lock_request(v_given.id::text);
  INSERT INTO operations AS o (
    id, priority, position, account_id, key_id, video_id, language, fallback, format, state, price, error, ended_at, waived_at
  ) VALUES (
    v_given.id, 'reads', 0, v_given.account_id, v_given.key_id, v_given.video_id, v_given.language, v_given.fallback, v_given.format, 'failed',
    0, p_error, now(), now()
  )
  ON CONFLICT (id) DO UPDATE SET waived_at = now() WHERE o.account_id = v_given.account_id AND o.waived_at IS NULL
  RETURNING o.xmax = 0 INTO v_is_new;
  WITH voided AS (
    UPDATE operations AS o SET charge = 0, reported_to = NULL, waived_at = coalesce(o.waived_at, now())
    FROM (
      SELECT v_given.id
      UNION
      -- By track: nothing else connects a request with the read that it joined.
      SELECT j.id FROM transcripts AS t JOIN operations AS j ON j.transcript_id = t.id
      WHERE t.video_id = v_given.video_id AND j.account_id = v_given.account_id AND j.reported_to = v_given.id::text) AS concerned
    WHERE o.id = concerned.id AND o.account_id = v_given.account_id AND o.priority = 'reads' AND o.charge > 0
      AND (o.reported_to IS NULL OR o.reported_to = v_given.id::text)
    RETURNING o.*
  ), void AS (
    SELECT ref, priority, account_id, key_id, item FROM voided WHERE ref IS NOT NULL
    UNION ALL
    -- A crash of this database may have lost a read whose credit the ledger holds.
    SELECT v_given.id, 'reads', v_given.account_id, v_given.key_id, 1 WHERE v_is_new
  )
  INSERT INTO settlements (id, reservations, due_at)
  SELECT p_settlement, jsonb_agg(jsonb_build_object('ref', ref, 'priority', priority, 'batch_id', NULL, 'account_id', account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', jsonb_build_array(item))), now() + interval '10 seconds'
  FROM void HAVING count(*) > 0
  RETURNING reservations INTO v_settlement;
  RETURN v_settlement;
END
$$;

-- Serializes waiving a request and assigning it a charge, even if it opened no operation of its own.
CREATE OR REPLACE FUNCTION lock_request(p_request_id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_request_id, 7221))
$$;

-- Fails a read that has not begun: the ledger refused it, the ledger's answer is unknown, or its process died. Takes it out of the counts;
-- p_settlement, if given, is the settlement that releases its credit.
CREATE OR REPLACE FUNCTION fail_read(p_id uuid, p_error jsonb, p_scopes text[], p_day date, p_settlement uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE operations SET state = 'failed', error = p_error, released = p_settlement IS NULL, ended_at = now()
  WHERE id = p_id AND state IN ('opened', 'ready');
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO settlements (id, reservations, due_at)
  SELECT p_settlement, jsonb_build_array(jsonb_build_object('ref', ref, 'priority', priority, 'batch_id', NULL, 'account_id', account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', jsonb_build_array(item))), now() + interval '10 seconds'
  FROM operations WHERE id = p_id AND ref IS NOT NULL AND p_settlement IS NOT NULL;
  PERFORM uncount_cold(p_scopes, p_day, 1);
  RETURN true;
END
$$;

-- Puts a read whose credit is held, and that found no free slot, in its account's queue of reads.
CREATE OR REPLACE FUNCTION queue_read(p_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM operations WHERE id = p_id;
  INSERT INTO batches (id, priority, account_id) VALUES (v_account_id, 'reads', v_account_id) ON CONFLICT (id) DO NOTHING;
  -- Before the row: the lock order of claims.
  PERFORM queue_batch(v_account_id);
  UPDATE operations SET state = 'ready', batch_id = v_account_id WHERE id = p_id AND state = 'opened';
END
$$;
