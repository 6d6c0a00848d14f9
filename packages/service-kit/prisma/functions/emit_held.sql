-- For SQL functions of the service; with p_hold_ms the event is leased to the calling process, which publishes it.
CREATE OR REPLACE FUNCTION messaging.emit_held(p_subject text, p_payload jsonb, p_headers jsonb, p_hold_ms double precision)
RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.outbox (subject, payload, headers, held_until)
  VALUES (p_subject, p_payload, p_headers, clock_timestamp() + p_hold_ms * interval '1 millisecond') RETURNING id
$$;
