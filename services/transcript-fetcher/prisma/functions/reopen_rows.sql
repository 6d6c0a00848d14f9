-- Rows of a job that were cached and whose cues have proved to be lost: they are fetched again for nothing, when it is their turn. A credit
-- that one had was given back at its end, so it has none any more.
CREATE OR REPLACE FUNCTION reopen_rows(p_line_id uuid, p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM lines WHERE id = p_line_id AND state = 'open' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE operations SET state = 'ready', price = 0, ref = NULL, part = NULL, transcript_id = NULL, is_fallback = NULL, translation = NULL,
    ended_at = NULL, news = 0
  WHERE id = ANY (p_ids) AND line_id = p_line_id AND state = 'delivered' AND charge = 0;
  PERFORM stand_in_line(p_line_id);
END
$$;
