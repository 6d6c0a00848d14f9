-- Somebody waits for an operation by now: if only batches have waited for its fetch, that gets a task that is in front of theirs
-- (pre-leased, if p_lease_ms is given). Whichever ends first has fetched it.
CREATE OR REPLACE FUNCTION hurry_fetch(p_operation_id uuid, p_headers jsonb, p_lease_ms double precision)
RETURNS TABLE (new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE fetches AS f SET is_background = false FROM operations AS o
  WHERE o.id = p_operation_id AND f.id = o.fetch_id AND f.state = 'open' AND f.is_background
  RETURNING jsonb_build_object('fetchId', f.id, 'accountId', o.account_id, 'wanted', jsonb_build_object(
    'videoId', o.video_id, 'language', o.language, 'fallback', o.fallback, 'format', o.format)) INTO new_payload;
  IF NOT FOUND THEN RETURN; END IF;
  new_task_id := messaging.enqueue_held('fetch-track', new_payload, p_headers, p_lease_ms);
  RETURN NEXT;
END
$$;
