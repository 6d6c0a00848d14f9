-- Tells the charge of a read to one request, and to that one again; never to one that was disowned.
CREATE OR REPLACE FUNCTION claim_charge_report(p_id uuid, p_request_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_request_id);
  IF p_request_id ~ '^[0-9a-f-]{36}$' AND EXISTS (
    SELECT FROM operations AS d WHERE d.id = p_request_id::uuid AND d.disowned_at IS NOT NULL
  ) THEN RETURN false; END IF;
  UPDATE operations SET told_to = p_request_id
  WHERE id = p_id AND charge > 0 AND (told_to IS NULL OR told_to = p_request_id);
  RETURN FOUND;
END
$$;
