-- At the commit that ends, parks or cancels a task with a permit: gives the permit to the first in the line of the partition,
-- or back. Deferred, so that the partition is locked for the commit only.
CREATE OR REPLACE FUNCTION messaging.hand_on_permit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_next uuid;
BEGIN
  PERFORM FROM messaging.task_partitions WHERE name = OLD.name AND partition_key = OLD.partition_key FOR UPDATE;
  UPDATE messaging.tasks SET due_at = clock_timestamp(), wanted_at = NULL, in_line = false
  WHERE id = (
    SELECT id FROM messaging.tasks
    WHERE name = OLD.name AND partition_key = OLD.partition_key AND state = 'ready' AND in_line
      AND (SELECT in_flight <= max_in_flight FROM messaging.task_partitions
           WHERE name = OLD.name AND partition_key = OLD.partition_key)
    ORDER BY wanted_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id INTO v_next;
  IF v_next IS NULL THEN
    UPDATE messaging.task_partitions SET in_flight = greatest(in_flight - 1, 0)
    WHERE name = OLD.name AND partition_key = OLD.partition_key;
    DELETE FROM messaging.task_partitions AS open
    WHERE name = OLD.name AND partition_key = OLD.partition_key AND in_flight = 0 AND NOT EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = open.name AND partition_key = open.partition_key AND state = 'ready' AND in_line);
  END IF;
  RETURN NULL;
END
$$;
