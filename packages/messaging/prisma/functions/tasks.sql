-- Adds a task and returns its id. With a key: returns the open task of this name and key, if there is one. With a partition: at most
-- p_max_in_flight of its tasks run at a time. Only the release before gives p_unless_dead.
CREATE OR REPLACE FUNCTION messaging.enqueue_task(
  p_name text, p_payload jsonb, p_headers jsonb DEFAULT '{}', p_delay_ms bigint DEFAULT 0, p_key text DEFAULT NULL,
  p_partition text DEFAULT NULL, p_max_in_flight integer DEFAULT NULL, p_unless_dead boolean DEFAULT false
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  IF p_unless_dead THEN
    SELECT tasks.id INTO v_id FROM messaging.tasks JOIN messaging.dead_letters AS letter
      ON letter.source = tasks.name AND letter.message_id = tasks.id AND letter.replayed_at IS NULL
    WHERE tasks.name = p_name AND tasks.dedupe_key = p_key AND tasks.state = 'dead' LIMIT 1;
  END IF;
  WHILE v_id IS NULL LOOP
    SELECT id INTO v_id FROM messaging.tasks WHERE name = p_name AND dedupe_key = p_key AND state = 'ready';
    EXIT WHEN v_id IS NOT NULL;
    -- An exception, not ON CONFLICT: a task that is not added must take no permit of its partition either.
    BEGIN
      INSERT INTO messaging.tasks (name, dedupe_key, payload, headers, due_at, partition_key, max_in_flight)
      VALUES (p_name, p_key, p_payload, p_headers, clock_timestamp() + p_delay_ms * interval '1 millisecond', p_partition,
        p_max_in_flight)
      RETURNING id INTO v_id;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
  RETURN v_id;
END
$$;

-- For tasks with a partition. One that is due later is parked until then; one that is due and finds no permit stands in the
-- partition's line. Either has `wanted_at`, and is due never, so that no claim walks over it.
CREATE OR REPLACE FUNCTION messaging.park_task() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_open messaging.task_partitions;
BEGIN
  IF NEW.state <> 'ready' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.state = 'ready' THEN
    -- Its next attempt comes later: until then others may have its permit.
    IF OLD.wanted_at IS NULL AND NEW.lease_until IS NULL AND NEW.due_at > clock_timestamp() THEN
      NEW.wanted_at := NEW.due_at;
      NEW.due_at := 'infinity';
    END IF;
    RETURN NEW;
  END IF;
  NEW.wanted_at := NULL;
  NEW.in_line := false;
  IF NEW.due_at <= clock_timestamp() THEN
    -- Locks the partition, also if it has no permit left: who hands one on sees this task afterwards. Writes it only for a
    -- permit: thousands of versions of one row in one transaction would slow each next task of that transaction down.
    LOOP
      SELECT * INTO v_open FROM messaging.task_partitions
      WHERE name = NEW.name AND partition_key = NEW.partition_key FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO messaging.task_partitions (name, partition_key, max_in_flight, in_flight)
      VALUES (NEW.name, NEW.partition_key, NEW.max_in_flight, 0) ON CONFLICT DO NOTHING;
    END LOOP;
    IF v_open.max_in_flight <> NEW.max_in_flight THEN
      UPDATE messaging.task_partitions SET max_in_flight = NEW.max_in_flight
      WHERE name = NEW.name AND partition_key = NEW.partition_key;
    END IF;
    IF v_open.in_flight < NEW.max_in_flight THEN
      UPDATE messaging.task_partitions SET in_flight = in_flight + 1
      WHERE name = NEW.name AND partition_key = NEW.partition_key;
      -- Claims may already begin after the moment that it was given before it waited for the lock.
      NEW.due_at := clock_timestamp();
      RETURN NEW;
    END IF;
    NEW.in_line := true;
  END IF;
  NEW.wanted_at := NEW.due_at;
  NEW.due_at := 'infinity';
  -- It was to begin in the process that saves it, which sees that it does not.
  IF NEW.lease_until IS NOT NULL THEN
    NEW.attempts := 0;
    NEW.lease_epoch := 0;
    NEW.lease_until := NULL;
  END IF;
  RETURN NEW;
END
$$;

-- Parked tasks of these names whose time has come get a permit, or a place in the line of their partition; and permits that
-- are free go to the tasks in line (a task that ends hands its permit on by itself: these are the rest). Answers the name of each
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
    -- The holder of the partition may take this task next: it is left to the next look.
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
