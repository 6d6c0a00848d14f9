-- A request that was answered with a 5xx costs nothing, whatever became of its work: its gateway disowns it. A disowned
-- operation is delivered for nothing; one that was delivered for a credit before gets it back.
ALTER TABLE operations ADD COLUMN disowned_at timestamptz(3);

-- Keeps disowning a request and telling it a charge apart, also where the request opened no operation of its own.
CREATE FUNCTION lock_request(p_request_id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_request_id, 7221))
$$;

-- Disowns a request. Where it has no operation yet, a failed one takes its place, so that it never opens any. Answers the
-- operations whose charge is void now, its own or the one that it joined and was told: their credits are to be given back.
CREATE FUNCTION disown_request(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_error jsonb
) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_id::text);
  INSERT INTO operations AS o (
    id, account_id, key_id, video_id, language, fallback, format, state, settlement, error, ended_at, disowned_at
  ) VALUES (
    p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, 'failed', 'released', p_error, now(), now()
  )
  ON CONFLICT (id) DO UPDATE SET disowned_at = now() WHERE o.account_id = p_account_id AND o.disowned_at IS NULL;
  RETURN QUERY
    UPDATE operations AS o SET charge = 0, charge_reported = false, charge_reported_to = NULL, settlement = 'pending'
    WHERE o.account_id = p_account_id AND o.charge > 0 AND (
      (o.id = p_id AND (NOT o.charge_reported OR o.charge_reported_to = p_id::text))
      OR (o.charge_reported_to = p_id::text
        AND o.transcript_id IN (SELECT t.id FROM transcripts AS t WHERE t.video_id = p_video_id)))
    RETURNING o.id;
END
$$;

-- Tells the charge of an operation to one request, and to that one again; never to one that was disowned.
CREATE FUNCTION claim_charge_report(p_id uuid, p_request_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_request_id);
  IF p_request_id ~ '^[0-9a-f-]{36}$' AND EXISTS (
    SELECT FROM operations AS d WHERE d.id = p_request_id::uuid AND d.disowned_at IS NOT NULL
  ) THEN RETURN false; END IF;
  UPDATE operations SET charge_reported = true, charge_reported_to = p_request_id
  WHERE id = p_id AND charge > 0 AND (NOT charge_reported OR charge_reported_to = p_request_id);
  RETURN FOUND;
END
$$;

-- As before; but a settlement ends only what still owes as much: the charge may have been voided meanwhile.
CREATE OR REPLACE FUNCTION end_settlement(p_task_id uuid, p_epoch bigint, p_operation_id uuid, p_settlement text)
RETURNS SETOF operations LANGUAGE sql AS $$
  SELECT messaging.complete_task(p_task_id, p_epoch);
  UPDATE operations SET settlement = p_settlement
  WHERE id = p_operation_id AND settlement = 'pending' AND (charge > 0) = (p_settlement = 'settled') RETURNING *
$$;

-- As before; but disowned operations are delivered for nothing, and each operation says what it is charged.
DROP FUNCTION deliver_fetch(
  uuid, bigint, uuid, jsonb, jsonb, jsonb, jsonb, uuid, uuid, jsonb, integer, double precision, double precision
);
CREATE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_told uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (
  ended_id uuid, ended_format text, ended_charge integer, delivered_id uuid, is_first boolean, settle_task_id uuid,
  is_held boolean, event_id uuid
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_charge integer := CASE WHEN p_transcript IS NULL THEN 0 ELSE 1 END;
  v_held integer := 0;
BEGIN
  PERFORM messaging.complete_task(p_task_id, p_epoch);
  delivered_id := p_cached_id;
  IF p_transcript IS NOT NULL THEN
    INSERT INTO transcripts SELECT * FROM jsonb_populate_record(NULL::transcripts, p_transcript)
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id INTO delivered_id;
  END IF;
  is_first := delivered_id = (p_transcript ->> 'id')::uuid;
  IF is_first AND p_file IS NOT NULL THEN
    INSERT INTO rendered_files SELECT * FROM jsonb_populate_record(NULL::rendered_files, p_file);
  END IF;
  PERFORM save_selection(p_selection || jsonb_build_object('transcript_id', delivered_id));
  PERFORM save_video(p_video);
  UPDATE fetches SET state = 'done', ended_at = now() WHERE id = p_fetch_id AND state = 'open';
  IF NOT FOUND THEN RETURN; END IF;
  IF p_transcript IS NOT NULL THEN
    event_id := messaging.emit_held('evt.transcript-fetcher.transcript-fetched.v1', jsonb_build_object(
      'videoId', p_transcript -> 'video_id', 'languageCode', p_transcript -> 'language_code',
      'kind', p_transcript -> 'kind', 'translated', p_transcript -> 'translated'), p_headers, p_hold_ms);
  END IF;
  FOR ended_id, ended_format, ended_charge IN
    UPDATE operations SET state = 'delivered', transcript_id = delivered_id,
      charge = CASE WHEN disowned_at IS NULL THEN v_charge ELSE 0 END,
      is_fallback = (p_selection ->> 'is_fallback')::boolean, translation = p_selection ->> 'translation', ended_at = now(),
      charge_reported = v_charge > 0 AND disowned_at IS NULL AND id IS NOT DISTINCT FROM p_told,
      charge_reported_to = CASE WHEN v_charge > 0 AND disowned_at IS NULL AND id = p_told THEN p_told::text END
    WHERE fetch_id = p_fetch_id AND state = 'fetching' RETURNING id, format, charge
  LOOP
    is_held := v_held < p_places;
    v_held := v_held + 1;
    settle_task_id := messaging.enqueue_held(
      'settle-operation', jsonb_build_object('operationId', ended_id, 'charge', ended_charge), p_headers,
      CASE WHEN is_held THEN p_lease_ms END);
    RETURN NEXT;
  END LOOP;
END
$$;
