-- Parked tasks of these names whose time has come get a permit, or a place in the line of their partition; and permits that
-- are free go to whoever stands in line (what ends hands its permit on by itself: these are the rest). Answers the name of each
-- task that got one. Costs what is due and what runs, however many are parked until later.
CREATE OR REPLACE FUNCTION messaging.admit_parked(p_names text[], p_most integer) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  v_due record;
  v_open messaging.task_partitions;
  v_admitted integer;
BEGIN
  FOR v_due IN
    SELECT due.* FROM unnest(p_names) AS wanted (name) CROSS JOIN LATERAL (
      SELECT id, name, partition_key, max_in_flight FROM messaging.tasks
      WHERE name = wanted.name AND state = 'ready' AND NOT in_line AND wanted_at <= now()
      ORDER BY wanted_at LIMIT p_most FOR UPDATE SKIP LOCKED) AS due
  LOOP
    INSERT INTO messaging.task_partitions (name, partition_key, max_in_flight, in_flight)
    VALUES (v_due.name, v_due.partition_key, v_due.max_in_flight, 0) ON CONFLICT DO NOTHING;
    -- Whoever holds the partition may want this task next: it is left to the next look.
    SELECT * INTO v_open FROM messaging.task_partitions
    WHERE name = v_due.name AND partition_key = v_due.partition_key FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    IF v_open.in_flight >= v_open.max_in_flight THEN
      UPDATE messaging.tasks SET in_line = true WHERE id = v_due.id;
      CONTINUE;
    END IF;
    UPDATE messaging.task_partitions SET in_flight = in_flight + 1
    WHERE name = v_due.name AND partition_key = v_due.partition_key;
    UPDATE messaging.tasks SET due_at = clock_timestamp(), wanted_at = NULL WHERE id = v_due.id;
    RETURN NEXT v_due.name;
  END LOOP;
  FOR v_open IN
    SELECT * FROM messaging.task_partitions AS open
    WHERE name = ANY (p_names) AND in_flight < max_in_flight AND EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = open.name AND partition_key = open.partition_key AND state = 'ready' AND in_line)
    LIMIT p_most FOR UPDATE SKIP LOCKED
  LOOP
    UPDATE messaging.tasks SET due_at = clock_timestamp(), wanted_at = NULL, in_line = false
    WHERE id IN (
      SELECT id FROM messaging.tasks
      WHERE name = v_open.name AND partition_key = v_open.partition_key AND state = 'ready' AND in_line
      ORDER BY wanted_at LIMIT v_open.max_in_flight - v_open.in_flight FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS v_admitted = ROW_COUNT;
    UPDATE messaging.task_partitions SET in_flight = in_flight + v_admitted
    WHERE name = v_open.name AND partition_key = v_open.partition_key;
    RETURN QUERY SELECT v_open.name FROM generate_series(1, v_admitted);
  END LOOP;
END
$$;
