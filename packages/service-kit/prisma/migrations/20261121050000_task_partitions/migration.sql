-- Of the tasks of one name and partition (an account, a job, a receiver) only so many run at a time, over all instances.
ALTER TABLE messaging.tasks
  ADD COLUMN partition_key text,
  ADD COLUMN max_in_flight integer,
  -- 0 for what somebody waits for, 1 for background work.
  ADD COLUMN priority smallint NOT NULL DEFAULT 0,
  -- When a parked task is due: one without a permit of its partition. Its due_at is infinity, also for the release before.
  ADD COLUMN wanted_at timestamptz,
  ADD CONSTRAINT tasks_partition_has_cap CHECK (partition_key IS NULL OR max_in_flight > 0) NOT VALID;

-- Partitions with tasks that are open, and how many of these hold a permit: they are claimable or running.
CREATE TABLE messaging.task_partitions (
  name text NOT NULL,
  partition_key text NOT NULL,
  max_in_flight integer NOT NULL,
  in_flight integer NOT NULL CHECK (in_flight >= 0),
  PRIMARY KEY (name, partition_key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

CREATE OR REPLACE FUNCTION messaging.park_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.state = 'ready' THEN
    -- Its next attempt comes later: until then others may have its permit.
    IF NEW.state = 'ready' AND OLD.wanted_at IS NULL AND NEW.lease_until IS NULL AND NEW.due_at > clock_timestamp() THEN
      NEW.wanted_at := NEW.due_at;
      NEW.due_at := 'infinity';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.state <> 'ready' THEN
    RETURN NEW;
  END IF;
  -- Locks the partition, also if it has no permit left: who hands one on sees this task afterwards.
  INSERT INTO messaging.task_partitions AS open (name, partition_key, max_in_flight, in_flight)
  VALUES (NEW.name, NEW.partition_key, NEW.max_in_flight, 0)
  ON CONFLICT (name, partition_key) DO UPDATE SET max_in_flight = NEW.max_in_flight;
  IF NEW.due_at <= clock_timestamp() THEN
    UPDATE messaging.task_partitions SET in_flight = in_flight + 1
    WHERE name = NEW.name AND partition_key = NEW.partition_key AND in_flight < max_in_flight;
    IF FOUND THEN
      NEW.wanted_at := NULL;
      RETURN NEW;
    END IF;
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

CREATE OR REPLACE FUNCTION messaging.hand_on_permit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_next uuid;
BEGIN
  PERFORM FROM messaging.task_partitions WHERE name = OLD.name AND partition_key = OLD.partition_key FOR UPDATE;
  UPDATE messaging.tasks SET due_at = clock_timestamp(), wanted_at = NULL
  WHERE id = (
    SELECT id FROM messaging.tasks
    WHERE name = OLD.name AND partition_key = OLD.partition_key AND state = 'ready' AND wanted_at IS NOT NULL
      AND wanted_at <= clock_timestamp()
      AND (SELECT in_flight <= max_in_flight FROM messaging.task_partitions
           WHERE name = OLD.name AND partition_key = OLD.partition_key)
    ORDER BY priority, wanted_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id INTO v_next;
  IF v_next IS NULL THEN
    UPDATE messaging.task_partitions SET in_flight = greatest(in_flight - 1, 0)
    WHERE name = OLD.name AND partition_key = OLD.partition_key;
    DELETE FROM messaging.task_partitions AS open
    WHERE name = OLD.name AND partition_key = OLD.partition_key AND in_flight = 0 AND NOT EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = open.name AND partition_key = open.partition_key AND state = 'ready' AND wanted_at IS NOT NULL);
  END IF;
  RETURN NULL;
END
$$;

-- Triggers, so that a process of the release before takes and gives permits, too.
CREATE TRIGGER tasks_park_new BEFORE INSERT ON messaging.tasks
  FOR EACH ROW WHEN (NEW.partition_key IS NOT NULL) EXECUTE FUNCTION messaging.park_task();
CREATE TRIGGER tasks_park_again BEFORE UPDATE ON messaging.tasks
  FOR EACH ROW WHEN (NEW.partition_key IS NOT NULL) EXECUTE FUNCTION messaging.park_task();
CREATE CONSTRAINT TRIGGER tasks_permit_ended AFTER UPDATE ON messaging.tasks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (
    OLD.partition_key IS NOT NULL AND OLD.state = 'ready' AND OLD.wanted_at IS NULL
    AND (NEW.state <> 'ready' OR NEW.wanted_at IS NOT NULL)
  ) EXECUTE FUNCTION messaging.hand_on_permit();
CREATE CONSTRAINT TRIGGER tasks_permit_gone AFTER DELETE ON messaging.tasks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.partition_key IS NOT NULL AND OLD.state = 'ready' AND OLD.wanted_at IS NULL)
  EXECUTE FUNCTION messaging.hand_on_permit();
