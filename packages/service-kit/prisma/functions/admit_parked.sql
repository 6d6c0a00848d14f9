-- Gives the permits that are free to parked tasks of these names whose time has come; answers the name of each. What ends
-- hands its permit on by itself, so this is for partitions in which nothing runs that could.
CREATE OR REPLACE FUNCTION messaging.admit_parked(p_names text[], p_most_partitions integer) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  v_open messaging.task_partitions;
  v_admitted integer;
BEGIN
  FOR v_open IN
    SELECT * FROM messaging.task_partitions AS open
    WHERE name = ANY (p_names) AND in_flight < max_in_flight AND EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = open.name AND partition_key = open.partition_key AND state = 'ready' AND wanted_at IS NOT NULL
        AND wanted_at <= clock_timestamp())
    LIMIT p_most_partitions FOR UPDATE SKIP LOCKED
  LOOP
    UPDATE messaging.tasks SET due_at = clock_timestamp(), wanted_at = NULL
    WHERE id IN (
      SELECT id FROM messaging.tasks
      WHERE name = v_open.name AND partition_key = v_open.partition_key AND state = 'ready' AND wanted_at IS NOT NULL
        AND wanted_at <= clock_timestamp()
      ORDER BY priority, wanted_at LIMIT v_open.max_in_flight - v_open.in_flight FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS v_admitted = ROW_COUNT;
    UPDATE messaging.task_partitions SET in_flight = in_flight + v_admitted
    WHERE name = v_open.name AND partition_key = v_open.partition_key;
    RETURN QUERY SELECT v_open.name FROM generate_series(1, v_admitted);
  END LOOP;
END
$$;
