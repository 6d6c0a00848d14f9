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
