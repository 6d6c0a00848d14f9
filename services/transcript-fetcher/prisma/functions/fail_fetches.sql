-- Ends fetches of batches that have failed at about the same time, given as JSON: saves what was learnt of the videos, or of one
-- language of them, and ends the operations that wait. As with deliver_tracks no task is ended, and the answer is the same.
CREATE OR REPLACE FUNCTION fail_fetches(p_given jsonb) RETURNS TABLE (ended_ids jsonb, events jsonb, settles integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_failures jsonb := p_given -> 'failures';
  v_headers jsonb := p_given ->> 'headers';
  v_open uuid[];
BEGIN
  PERFORM save_selections((
    SELECT coalesce(jsonb_agg(selection), '[]') FROM (
      SELECT DISTINCT ON (selection -> 'video_id', selection -> 'language') selection
      FROM jsonb_to_recordset(v_failures) AS f (selection jsonb) WHERE selection IS NOT NULL) AS once));
  PERFORM save_videos((
    SELECT coalesce(jsonb_agg(video), '[]') FROM (
      SELECT DISTINCT ON (video -> 'id') video FROM jsonb_to_recordset(v_failures) AS f (video jsonb)
      WHERE video IS NOT NULL) AS once));

  v_open := end_open_fetches(ARRAY(SELECT fetch_id FROM jsonb_to_recordset(v_failures) AS d (fetch_id uuid)), 'failed');

  events := messaging.emit_each_held('evt.transcript-fetcher.transcript-failed.v1', (SELECT jsonb_agg(f.event)
    FROM jsonb_to_recordset(v_failures) AS f (fetch_id uuid, event jsonb) WHERE f.fetch_id = ANY (v_open)),
    v_headers, (p_given ->> 'hold_ms')::double precision);

  -- As in deliver_tracks.
  WITH waiting AS MATERIALIZED (
    SELECT w.id, w.state, f.error FROM jsonb_to_recordset(v_failures) AS f (fetch_id uuid, error jsonb)
    JOIN operations AS w ON w.fetch_id = f.fetch_id WHERE f.fetch_id = ANY (v_open) FOR UPDATE OF w
  ), ended AS (
    UPDATE operations AS o SET state = 'failed', error = waiting.error, ended_at = now()
    FROM waiting WHERE o.id = waiting.id AND waiting.state = 'fetching' RETURNING o.id, o.settlement
  )
  SELECT coalesce(jsonb_agg(ended.id) FILTER (WHERE ended.settlement <> 'pending'), '[]'), count(settling.id)
  INTO ended_ids, settles
  FROM ended CROSS JOIN LATERAL (
    SELECT enqueue_settlement(ended.id, ended.settlement, 0, v_headers) AS id) AS settling;
  RETURN NEXT;
END
$$;
