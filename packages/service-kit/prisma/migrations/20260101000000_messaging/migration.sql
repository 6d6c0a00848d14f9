-- What the kit keeps in every service's database. Every time here is the database's, so that clocks of processes do not matter.
CREATE SCHEMA messaging;

-- A UUID of version 7: in time order, so that purging and replaying by age are range scans of the primary key.
CREATE FUNCTION messaging.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;

-- The smallest identifier of that moment: what is older compares less.
CREATE FUNCTION messaging.floor_id(at timestamptz) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (encode(substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3), 'hex') || repeat('0', 20))::uuid
$$;

CREATE TABLE messaging.outbox (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  -- Where the stream keeps it: by this a stream that was wiped or rolled back is recognised.
  stream_seq bigint,
  -- Times that the broker did not take it; those that it never takes must not stand before the others.
  failures integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE INDEX outbox_unpublished ON messaging.outbox (failures, seq) WHERE published_at IS NULL;

CREATE TABLE messaging.inbox (
  consumer text NOT NULL,
  message_id uuid NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, message_id)
);

CREATE INDEX inbox_age ON messaging.inbox USING brin (processed_at);

CREATE TABLE messaging.tasks (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  name text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'done', 'dead')),
  -- Attempts that began; one that was cut off by the worker's death is repeated under the same number.
  attempts integer NOT NULL DEFAULT 0,
  -- Workers that died, froze or lost their connection while they held the task.
  lost_leases integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  -- Grows with every claim: the fencing token.
  lease_epoch bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  last_error text
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX tasks_ready ON messaging.tasks (name, due_at) WHERE state = 'ready';

CREATE TABLE messaging.dead_letters (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  kind text NOT NULL CHECK (kind IN ('event', 'task')),
  -- The event's subject or the task's name.
  source text NOT NULL,
  -- The outbox row's or the task's id.
  message_id uuid NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  reason text NOT NULL,
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  replayed_at timestamptz
);

-- One open letter per message: an event that the broker delivers once more after its last try adds nothing.
CREATE UNIQUE INDEX dead_letters_open ON messaging.dead_letters (source, message_id) WHERE replayed_at IS NULL;

CREATE TABLE messaging.schedules (
  name text PRIMARY KEY,
  next_due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  last_error text
);

-- For SQL functions of the service that save state and messages in one statement; `messaging.wake()` in the process follows.
CREATE FUNCTION messaging.emit(subject text, payload jsonb, headers jsonb DEFAULT '{}') RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.outbox (subject, payload, headers) VALUES ($1, $2, $3) RETURNING id
$$;

CREATE FUNCTION messaging.enqueue(name text, payload jsonb, headers jsonb DEFAULT '{}', delay_ms bigint DEFAULT 0)
RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.tasks (name, payload, headers, due_at)
  VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond') RETURNING id
$$;
