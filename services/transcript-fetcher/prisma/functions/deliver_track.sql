-- Ends the task of a fetch with its track: saves what is new (`transcript` and `file`, or `cached_id` for a track that was cached
-- already), what the language leads to, and the end of every operation that waits, each with the task that settles it; up to
-- `slots` of these are pre-leased to the caller for `lease_ms`. `reported_to` is the operation whose own request waits at the caller
-- and is told its charge; null if none does. Answers the operations, each with its charge; is_first is false if the same track
-- had been saved before: its first copy is kept, so its bytes never change. No operation is answered if the fetch has ended before.
-- An operation is charged its price, but nothing if no new track is saved, if it was disowned, or if its price was paid
-- before. There is nothing to settle for one that holds no credit; the charge of one of a batch is told to whoever sent that.
-- Two languages of one video may lead to the same track (en and en-GB), asked for by one account while neither is cached:
-- two operations and two fetches, of which the one that ends first is paid for.
CREATE OR REPLACE FUNCTION deliver_track(p_delivery jsonb) RETURNS TABLE (
  ended_id uuid, ended_format text, ended_charge integer, delivered_id uuid, is_first boolean, settle_task_id uuid,
  is_pre_leased boolean, event_id uuid
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_fetch_id uuid := p_delivery ->> 'fetch_id';
  v_reported_to uuid := p_delivery ->> 'reported_to';
  v_selection jsonb := p_delivery -> 'selection';
  v_transcript jsonb := nullif(p_delivery -> 'transcript', 'null');
  v_file jsonb := nullif(p_delivery -> 'file', 'null');
  -- A text, as the kit gives it.
  v_headers jsonb := p_delivery ->> 'headers';
  v_slots integer := p_delivery ->> 'slots';
  v_pre_leased integer := 0;
  v_settlement text;
  v_paid uuid[] := '{}';
BEGIN
  PERFORM messaging.complete_task((p_delivery ->> 'task_id')::uuid, (p_delivery ->> 'epoch')::bigint);
  delivered_id := p_delivery ->> 'cached_id';
  IF v_transcript IS NOT NULL THEN
    INSERT INTO transcripts SELECT * FROM jsonb_populate_record(NULL::transcripts, v_transcript)
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id INTO delivered_id;
  END IF;
  is_first := delivered_id = (v_transcript ->> 'id')::uuid;
  IF NOT is_first THEN
    -- Whoever saved the track ended its operations in the same commit, which the row above has waited for.
    v_paid := ARRAY(SELECT o.account_id FROM operations AS o WHERE o.transcript_id = delivered_id AND o.charge > 0);
  END IF;
  IF is_first AND v_file IS NOT NULL THEN
    INSERT INTO rendered_files SELECT * FROM jsonb_populate_record(NULL::rendered_files, v_file);
  END IF;
  PERFORM save_selection(v_selection || jsonb_build_object('transcript_id', delivered_id));
  PERFORM save_video(p_delivery -> 'video');
  UPDATE fetches SET state = 'done', ended_at = now() WHERE id = v_fetch_id AND state = 'open';
  IF NOT FOUND THEN RETURN; END IF;
  IF v_transcript IS NOT NULL THEN
    event_id := messaging.emit_held('evt.transcript-fetcher.transcript-fetched.v1', jsonb_build_object(
      'videoId', v_transcript -> 'video_id', 'languageCode', v_transcript -> 'language_code',
      'kind', v_transcript -> 'kind', 'translated', v_transcript -> 'translated'),
      v_headers, (p_delivery ->> 'hold_ms')::double precision);
  END IF;
  FOR ended_id, ended_format, ended_charge, v_settlement IN
    WITH waiting AS (
      SELECT w.id, CASE
        WHEN v_transcript IS NOT NULL AND w.disowned_at IS NULL AND w.settlement IN ('pending', 'by_caller') AND w.account_id <> ALL (v_paid)
        THEN w.price ELSE 0
      END AS charge
      FROM operations AS w WHERE w.fetch_id = v_fetch_id AND w.state = 'fetching' FOR UPDATE
    )
    UPDATE operations AS o SET state = 'delivered', transcript_id = delivered_id, charge = waiting.charge,
      is_fallback = (v_selection ->> 'is_fallback')::boolean, translation = v_selection ->> 'translation', ended_at = now(),
      charge_reported = waiting.charge > 0 AND (o.settlement = 'by_caller' OR o.id IS NOT DISTINCT FROM v_reported_to),
      charge_reported_to = CASE WHEN waiting.charge > 0 AND o.id = v_reported_to THEN v_reported_to::text END
    FROM waiting WHERE o.id = waiting.id RETURNING o.id, o.format, o.charge, o.settlement
  LOOP
    settle_task_id := NULL;
    is_pre_leased := v_settlement = 'pending' AND v_pre_leased < v_slots;
    IF v_settlement <> 'pending' THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    v_pre_leased := v_pre_leased + 1;
    settle_task_id := messaging.enqueue_held(
      'settle-operation', jsonb_build_object('operationId', ended_id, 'charge', ended_charge), v_headers,
      CASE WHEN is_pre_leased THEN (p_delivery ->> 'lease_ms')::double precision END);
    RETURN NEXT;
  END LOOP;
END
$$;
