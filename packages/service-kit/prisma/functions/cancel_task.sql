-- Takes a task away that is still to be done; false if it has ended. Whoever works on it finds no row to change any more: its
-- lease counts as lost, so it commits nothing through that, and its signal fires at the next renewal.
CREATE OR REPLACE FUNCTION messaging.cancel_task(p_id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messaging.tasks WHERE id = p_id AND state = 'ready';
  RETURN FOUND;
END
$$;
