-- Ends those of these fetches that are open, and answers which they were: nobody else ends them. They are locked in the order of
-- their videos, so that two batches that end the same fetches never wait for each other. Callers have the settings of its plan.
CREATE OR REPLACE FUNCTION end_open_fetches(p_fetch_ids uuid[], p_state text) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_ended uuid[];
BEGIN
  -- Their state is looked at when they are locked: together with their ids it would be looked for among all that are open.
  WITH given AS MATERIALIZED (
    SELECT f.id, f.state FROM unnest(p_fetch_ids) AS asked (id) JOIN fetches AS f ON f.id = asked.id
    ORDER BY f.video_id, f.language, f.fallback FOR UPDATE OF f
  ), ended AS (
    UPDATE fetches AS f SET state = p_state, ended_at = now() FROM given
    WHERE f.id = given.id AND given.state = 'open' RETURNING f.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_ended FROM ended;
  RETURN v_ended;
END
$$;
