-- Only for the release before: as deliver_track, which takes all of this as one argument.
CREATE OR REPLACE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_told uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (
  ended_id uuid, ended_format text, ended_charge integer, delivered_id uuid, is_first boolean, settle_task_id uuid,
  is_held boolean, event_id uuid
) LANGUAGE sql AS $$
  SELECT * FROM deliver_track(jsonb_build_object(
    'task_id', p_task_id, 'epoch', p_epoch, 'fetch_id', p_fetch_id, 'video', p_video, 'selection', p_selection,
    'transcript', p_transcript, 'file', p_file, 'cached_id', p_cached_id, 'reported_to', p_told, 'headers', p_headers,
    'slots', p_places, 'lease_ms', p_lease_ms, 'hold_ms', p_hold_ms))
$$;
