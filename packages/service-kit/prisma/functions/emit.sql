-- For SQL functions of the service that save state and an event in one statement; `messaging.wake()` in the process follows.
CREATE OR REPLACE FUNCTION messaging.emit(subject text, payload jsonb, headers jsonb DEFAULT '{}') RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.outbox (subject, payload, headers) VALUES ($1, $2, $3) RETURNING id
$$;
