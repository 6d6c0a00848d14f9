-- As emit_held, for each of an array of payloads (null for none): answers an array of the ids, each beside its payload.
CREATE OR REPLACE FUNCTION messaging.emit_each_held(
  p_subject text, p_payloads jsonb, p_headers jsonb, p_hold_ms double precision
) RETURNS jsonb LANGUAGE sql AS $$
  WITH emitted AS (
    INSERT INTO messaging.outbox (subject, payload, headers, held_until)
    SELECT p_subject, payload, p_headers, clock_timestamp() + p_hold_ms * interval '1 millisecond'
    FROM jsonb_array_elements(p_payloads) AS payload RETURNING id, payload
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'payload', payload)), '[]') FROM emitted
$$;
