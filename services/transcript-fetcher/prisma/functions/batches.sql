-- Ends all rows of a batch that have not begun, saves the settlement p_settlement for their credits, and takes them out of the day's counts. Rows that
-- have begun continue. `stopped` is final: before its first row it is a tombstone.
CREATE OR REPLACE FUNCTION pause_batch(p_batch_id uuid, p_account_id uuid, p_state text, p_settlement uuid)
RETURNS TABLE (version bigint, settlement jsonb) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off AS $$
BEGIN
  INSERT INTO batches AS l (id, priority, account_id, state) VALUES (p_batch_id, 'jobs', p_account_id, p_state)
  ON CONFLICT (id) DO UPDATE SET is_queued = false, opening = NULL,
    state = CASE l.state WHEN 'stopped' THEN 'stopped' ELSE excluded.state END
  WHERE l.account_id = p_account_id AND l.priority = 'jobs';
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM id FROM operations WHERE batch_id = p_batch_id AND state = 'ready' ORDER BY id FOR UPDATE;
  PERFORM uncount_cold(r.scopes, r.day, n::integer)
  FROM (SELECT ref, count(*) AS n FROM operations WHERE batch_id = p_batch_id AND state = 'ready' GROUP BY ref ORDER BY ref) AS o
  JOIN reservations AS r ON r.ref = o.ref;
  version := next_version(p_batch_id);
  WITH ended AS (
    UPDATE operations SET state = 'cancelled', change_version = pause_batch.version, ended_at = now() WHERE batch_id = p_batch_id AND state = 'ready'
    RETURNING ref, item, key_id
  )
  INSERT INTO settlements (id, reservations, due_at)
  SELECT p_settlement, jsonb_agg(jsonb_build_object('ref', ref, 'priority', 'jobs', 'batch_id', p_batch_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', items)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(item) AS items FROM ended WHERE ref IS NOT NULL GROUP BY ref) AS r
  HAVING count(*) > 0
  RETURNING reservations INTO settlement;
  RETURN NEXT;
END
$$;

-- The job of this batch no longer exists: refunds the charges of its rows.
CREATE OR REPLACE FUNCTION waive_batch(p_batch_id uuid, p_account_id uuid, p_settlement uuid) RETURNS void LANGUAGE sql AS $$
  WITH voided AS (
    UPDATE operations SET charge = 0, waived_at = now()
    WHERE batch_id = p_batch_id AND priority = 'jobs' AND account_id = p_account_id AND waived_at IS NULL
    RETURNING ref, item, key_id, state
  )
  INSERT INTO settlements (id, reservations, due_at)
  SELECT p_settlement, jsonb_agg(jsonb_build_object('ref', ref, 'priority', 'jobs', 'batch_id', p_batch_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', items)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(item) AS items FROM voided
    WHERE ref IS NOT NULL AND state = 'delivered' GROUP BY ref) AS r
  HAVING count(*) > 0
$$;

-- Puts the rows of held items in the queue, deletes the others of the reservation and takes them out of the day's counts. Returns which of the rows
-- do not exist. A repeat changes nothing and returns the same.
CREATE OR REPLACE FUNCTION hold_rows(p_batch_id uuid, p_reservation uuid, p_held smallint[], p_rows uuid[])
RETURNS SETOF uuid LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_gone bigint;
BEGIN
  UPDATE batches SET opening = NULL WHERE id = p_batch_id AND opening = p_reservation;
  IF FOUND THEN
    WITH gone AS (
      DELETE FROM operations WHERE batch_id = p_batch_id AND state = 'ready' AND ref = p_reservation AND item <> ALL (p_held) RETURNING id
    )
    SELECT count(*) INTO v_gone FROM gone;
    PERFORM uncount_cold(scopes, day, v_gone::integer) FROM reservations WHERE ref = p_reservation AND v_gone > 0;
    PERFORM queue_batch(p_batch_id);
  END IF;
  RETURN QUERY SELECT r.id FROM unnest(p_rows) AS r (id) WHERE NOT EXISTS (SELECT FROM operations AS o WHERE o.id = r.id);
END
$$;

-- Queues cached rows of a job whose cues are lost, for a fetch that costs nothing. Their credits were released at their end.
CREATE OR REPLACE FUNCTION reopen_rows(p_batch_id uuid, p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM batches WHERE id = p_batch_id AND state = 'open' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE operations SET state = 'ready', price = 0, ref = NULL, item = NULL, transcript_id = NULL, is_fallback = NULL, translation = NULL,
    ended_at = NULL, change_version = 0
  WHERE id = ANY (p_ids) AND batch_id = p_batch_id AND state = 'delivered' AND charge = 0;
  PERFORM queue_batch(p_batch_id);
END
$$;

-- Assigns the report of a read's charge to one request; a repeat of it gets it again, a waived request never.
CREATE OR REPLACE FUNCTION claim_charge_report(p_id uuid, p_request_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_request_id);
  IF p_request_id ~ '^[0-9a-f-]{36}$' AND EXISTS (
    SELECT FROM operations AS d WHERE d.id = p_request_id::uuid AND d.waived_at IS NOT NULL
  ) THEN RETURN false; END IF;
  UPDATE operations SET reported_to = p_request_id
  WHERE id = p_id AND charge > 0 AND (reported_to IS NULL OR reported_to = p_request_id);
  RETURN FOUND;
END
$$;
