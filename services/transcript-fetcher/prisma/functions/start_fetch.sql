-- Attaches a reserved operation to the open fetch of its track, or to a new one, which gets its task (pre-leased, if
-- p_lease_ms is given); the task also names the operation that began the fetch. The fetch's row is locked until the commit, so an
-- operation that attaches to it can never miss its end. If only batches have waited for the open fetch, it gets a task that is in
-- front of theirs. Answers no row if the operation has been ended meanwhile.
CREATE OR REPLACE FUNCTION start_fetch(p_operation_id uuid, p_fetch_id uuid, p_headers jsonb, p_lease_ms double precision)
RETURNS TABLE (new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_operation operations;
  v_fetch_id uuid;
BEGIN
  SELECT * INTO v_operation FROM operations WHERE id = p_operation_id AND state = 'reserving' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO fetches (id, video_id, language, fallback)
  VALUES (p_fetch_id, v_operation.video_id, v_operation.language, v_operation.fallback)
  ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
  RETURNING id INTO v_fetch_id;
  UPDATE operations SET state = 'fetching', fetch_id = v_fetch_id WHERE id = p_operation_id;
  IF v_fetch_id = p_fetch_id THEN
    new_payload := jsonb_build_object('fetchId', v_fetch_id, 'operationId', p_operation_id, 'wanted', jsonb_build_object(
      'videoId', v_operation.video_id, 'language', v_operation.language, 'fallback', v_operation.fallback,
      'format', v_operation.format));
    new_task_id := messaging.enqueue_held('fetch-track', new_payload, p_headers, p_lease_ms);
  ELSE
    SELECT h.new_task_id, h.new_payload INTO new_task_id, new_payload
    FROM hurry_fetch(p_operation_id, p_headers, p_lease_ms) AS h;
  END IF;
  RETURN NEXT;
END
$$;
