-- As deliver_track, for fetches of batches that have brought their tracks at about the same time: the deliveries are JSON, numbered
-- from 1 by `turn`. It ends no task, for a batch's task goes on until all of it has ended; nothing is delivered twice, because
-- its fetch is open only once. Answers the operations that have ended and the events to publish.
-- Rows of each table are taken in the order of their videos, and the tables in the order of deliver_track.
CREATE OR REPLACE FUNCTION deliver_tracks(p_given jsonb) RETURNS TABLE (ended_ids jsonb, events jsonb, settles integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_deliveries jsonb := p_given -> 'deliveries';
  v_headers jsonb := p_given ->> 'headers';
  v_tracks uuid[];
  v_open uuid[];
BEGIN
  -- One track may have been fetched twice, for two languages that lead to it.
  WITH given AS (
    SELECT d.turn, d.cached_id, t.* FROM jsonb_to_recordset(v_deliveries) AS d (turn integer, cached_id uuid, transcript jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::transcripts, d.transcript) AS t
  ), saved AS (
    INSERT INTO transcripts AS kept (id, video_id, language_code, kind, translated, object_key, cue_count, cached_at, video, strategy)
    SELECT DISTINCT ON (video_id, language_code, kind, translated)
      id, video_id, language_code, kind, translated, object_key, cue_count, cached_at, video, strategy
    FROM given WHERE id IS NOT NULL ORDER BY video_id, language_code, kind, translated, turn
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING kept.id, kept.video_id, kept.language_code, kept.kind, kept.translated
  )
  SELECT array_agg(coalesce(saved.id, given.cached_id) ORDER BY given.turn) INTO v_tracks
  FROM given LEFT JOIN saved USING (video_id, language_code, kind, translated);

  INSERT INTO rendered_files
  SELECT f.* FROM jsonb_to_recordset(v_deliveries) AS d (turn integer, file jsonb)
  CROSS JOIN LATERAL jsonb_populate_record(NULL::rendered_files, d.file) AS f
  WHERE f.transcript_id = v_tracks[d.turn] ORDER BY f.transcript_id
  ON CONFLICT (transcript_id, format) DO NOTHING;
  PERFORM save_selections((
    SELECT jsonb_agg(selection) FROM (
      SELECT DISTINCT ON (selection -> 'video_id', selection -> 'language')
        selection || jsonb_build_object('transcript_id', v_tracks[turn]) AS selection
      FROM jsonb_to_recordset(v_deliveries) AS d (turn integer, selection jsonb)) AS once));
  PERFORM save_videos((
    SELECT jsonb_agg(video) FROM (
      SELECT DISTINCT ON (video -> 'id') video FROM jsonb_to_recordset(v_deliveries) AS d (video jsonb)) AS once));

  v_open := end_open_fetches(ARRAY(SELECT fetch_id FROM jsonb_to_recordset(v_deliveries) AS d (fetch_id uuid)), 'done');

  events := messaging.emit_each_held('evt.transcript-fetcher.transcript-fetched.v1', (SELECT jsonb_agg(jsonb_build_object(
      'videoId', transcript -> 'video_id', 'languageCode', transcript -> 'language_code',
      'kind', transcript -> 'kind', 'translated', transcript -> 'translated'))
    FROM jsonb_to_recordset(v_deliveries) AS d (fetch_id uuid, transcript jsonb)
    WHERE d.fetch_id = ANY (v_open) AND d.transcript IS NOT NULL), v_headers, (p_given ->> 'hold_ms')::double precision);

  -- The state of operations is looked at when they are locked, for the same reason as that of fetches in end_open_fetches; OFFSET 0
  -- stands for the same reason as in open_batch.
  WITH waiting AS MATERIALIZED (
    SELECT w.id, w.state, w.account_id, v_tracks[d.turn] AS track_id, d.selection, w.price,
      d.transcript IS NOT NULL AND w.disowned_at IS NULL AND w.settlement IN ('pending', 'by_caller') AND NOT EXISTS (
        SELECT FROM operations AS o
        WHERE o.transcript_id = v_tracks[d.turn] AND o.account_id = w.account_id AND o.charge > 0 OFFSET 0) AS owes
    FROM jsonb_to_recordset(v_deliveries) AS d (turn integer, fetch_id uuid, transcript jsonb, selection jsonb)
    JOIN operations AS w ON w.fetch_id = d.fetch_id
    WHERE d.fetch_id = ANY (v_open) FOR UPDATE OF w
  ), priced AS (
    -- An account pays once for a track, also where two of its operations lead to it at the same time.
    SELECT *, CASE WHEN owes AND row_number() OVER (PARTITION BY account_id, track_id ORDER BY owes DESC, id) = 1
      THEN price ELSE 0 END AS charge
    FROM waiting WHERE state = 'fetching'
  ), ended AS (
    UPDATE operations AS o SET state = 'delivered', transcript_id = priced.track_id, charge = priced.charge,
      is_fallback = (priced.selection ->> 'is_fallback')::boolean, translation = priced.selection ->> 'translation',
      ended_at = now(), charge_reported = priced.charge > 0 AND o.settlement = 'by_caller'
    FROM priced WHERE o.id = priced.id RETURNING o.id, o.settlement, o.charge
  )
  SELECT coalesce(jsonb_agg(ended.id), '[]'), count(settling.id) INTO ended_ids, settles
  FROM ended CROSS JOIN LATERAL (
    SELECT enqueue_settlement(ended.id, ended.settlement, ended.charge, v_headers) AS id) AS settling;
  RETURN NEXT;
END
$$;
