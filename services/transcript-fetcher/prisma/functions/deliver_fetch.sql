-- Ends the task of a fetch with its track: saves what is new (p_transcript and p_file, or p_cached_id for a track that was
-- cached already), what the language leads to, and the end of every operation that waits, each with the task that settles
-- it; up to p_places of these are born held. p_told is the operation whose own request waits here and is told its charge;
-- NULL if none does. Answers the operations, each with its charge; is_first is false if the same track had been saved
-- before: its first copy is kept, so its bytes never change. No operation is answered if the fetch has ended before.
-- Nothing is charged for a disowned operation, nor for one that holds no credit: for that there is nothing to settle, either.
-- Two languages of one video may lead to the same track (en and en-GB), asked for by one account while neither is cached:
-- two operations and two fetches, of which the one that ends first is paid for.
CREATE OR REPLACE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_told uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (
  ended_id uuid, ended_format text, ended_charge integer, delivered_id uuid, is_first boolean, settle_task_id uuid,
  is_held boolean, event_id uuid
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_charge integer := CASE WHEN p_transcript IS NULL THEN 0 ELSE 1 END;
  v_held integer := 0;
  v_settlement text;
  v_paid uuid[] := '{}';
BEGIN
  PERFORM messaging.complete_task(p_task_id, p_epoch);
  delivered_id := p_cached_id;
  IF p_transcript IS NOT NULL THEN
    INSERT INTO transcripts SELECT * FROM jsonb_populate_record(NULL::transcripts, p_transcript)
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id INTO delivered_id;
  END IF;
  is_first := delivered_id = (p_transcript ->> 'id')::uuid;
  IF NOT is_first THEN
    -- Whoever saved the track ended its operations in the same commit, which the row above has waited for.
    v_paid := ARRAY(SELECT o.account_id FROM operations AS o WHERE o.transcript_id = delivered_id AND o.charge > 0);
  END IF;
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
  FOR ended_id, ended_format, ended_charge, v_settlement IN
    UPDATE operations SET state = 'delivered', transcript_id = delivered_id,
      charge = CASE WHEN disowned_at IS NULL AND settlement = 'pending' AND account_id <> ALL (v_paid) THEN v_charge ELSE 0 END,
      is_fallback = (p_selection ->> 'is_fallback')::boolean, translation = p_selection ->> 'translation', ended_at = now(),
      charge_reported = v_charge > 0 AND disowned_at IS NULL AND settlement = 'pending' AND account_id <> ALL (v_paid)
        AND id IS NOT DISTINCT FROM p_told,
      charge_reported_to = CASE
        WHEN v_charge > 0 AND disowned_at IS NULL AND settlement = 'pending' AND account_id <> ALL (v_paid)
          AND id = p_told THEN p_told::text
      END
    WHERE fetch_id = p_fetch_id AND state = 'fetching' RETURNING id, format, charge, settlement
  LOOP
    settle_task_id := NULL;
    is_held := v_settlement = 'pending' AND v_held < p_places;
    IF v_settlement <> 'pending' THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    v_held := v_held + 1;
    settle_task_id := messaging.enqueue_held(
      'settle-operation', jsonb_build_object('operationId', ended_id, 'charge', ended_charge), p_headers,
      CASE WHEN is_held THEN p_lease_ms END);
    RETURN NEXT;
  END LOOP;
END
$$;
