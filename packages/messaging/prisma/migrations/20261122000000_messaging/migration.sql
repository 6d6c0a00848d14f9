-- The kit's tables in every service's database. All times are the database's, so that clocks of processes do not matter.
CREATE SCHEMA messaging;

-- For the defaults below; the text that counts is in prisma/functions, as of all functions.
CREATE FUNCTION messaging.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT gen_random_uuid()';

-- Bound: in all, one for each event; what a request makes is bounded by the tables that it changes.
-- Kept: deleted seven days after it was published.
CREATE TABLE messaging.outbox (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  -- The event's position in the stream: reveals a stream that was wiped or rolled back.
  stream_seq bigint,
  -- Since when an event waits that was published before: the lag of what a broker lost counts from when that was found out.
  waiting_since timestamptz,
  -- Times that the broker did not take it; those that it never takes must not stand before the others.
  failures integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE INDEX outbox_unpublished ON messaging.outbox (failures, seq) WHERE published_at IS NULL;
CREATE INDEX outbox_position ON messaging.outbox (stream_seq) WHERE stream_seq IS NOT NULL;
CREATE INDEX outbox_published ON messaging.outbox USING brin (published_at);

-- Bound: in all, one for each received event.
-- Kept: deleted after eight days and the days for which streams keep events.
CREATE TABLE messaging.inbox (
  consumer text NOT NULL,
  message_id uuid NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The message's position in the stream when it was last received: reveals a broker that lost received messages.
  stream_seq bigint,
  PRIMARY KEY (consumer, message_id)
);

-- A B-tree: the summaries of a BRIN index never narrow again, so a purge of an aged inbox would read it whole.
CREATE INDEX inbox_by_age ON messaging.inbox (processed_at);

-- The position in the stream up to which this database has handled a consumer's messages. It goes back with the
-- database, and the broker's idea of it does not: so what a restored copy has lost is found.
-- Bound: in all, one for each consumer.
-- Kept: for ever: one row a consumer.
CREATE TABLE messaging.positions (
  consumer text PRIMARY KEY,
  -- Which stream of that name: another one counts anew.
  stream_created text NOT NULL,
  stream_seq bigint NOT NULL,
  -- The message at the position: if the stream has another one there, it lost messages.
  anchor_seq bigint,
  anchor_id uuid
);

-- The newest version of each aggregate that a listener has acted upon: older ones that come later change nothing.
-- Bound: in all, one for each account, key or job with a received event.
-- Kept: deleted after 90 days and the days for which streams keep events.
CREATE TABLE messaging.aggregate_versions (
  consumer text NOT NULL,
  aggregate_key text NOT NULL,
  version bigint NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, aggregate_key)
) WITH (fillfactor = 80);

CREATE INDEX aggregate_versions_age ON messaging.aggregate_versions USING brin (seen_at);

-- Bound: in all, one for each piece of work that a request or an event begins.
-- Kept: deleted a day after it was done, 30 days after it was given up.
CREATE TABLE messaging.tasks (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  name text NOT NULL,
  -- Of the tasks of one name that are still to be done, at most one has this key.
  dedupe_key text,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'done', 'dead')),
  -- Attempts that began; one that was cut off by the worker's death is repeated under the same number.
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  -- Grows with every claim: the fencing token.
  lease_epoch bigint NOT NULL DEFAULT 0,
  -- Of the tasks of one name and partition (an account, a job, a receiver) one runs at a time, over all instances.
  partition_key text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  last_error text
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX tasks_free_from ON messaging.tasks (name, greatest(due_at, lease_until)) WHERE state = 'ready';
CREATE UNIQUE INDEX tasks_one_open ON messaging.tasks (name, dedupe_key) WHERE state = 'ready' AND dedupe_key IS NOT NULL;
CREATE INDEX tasks_of_partition ON messaging.tasks (name, partition_key, due_at, id) WHERE state = 'ready' AND partition_key IS NOT NULL;
CREATE INDEX tasks_leased_of_partition ON messaging.tasks (name, partition_key)
  WHERE state = 'ready' AND partition_key IS NOT NULL AND lease_until IS NOT NULL;

-- Bound: in all, one for each event or task that was given up.
-- Kept: deleted after 30 days.
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

-- Bound: in all, one for each schedule.
-- Kept: for ever: one row a schedule.
CREATE TABLE messaging.schedules (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  -- In which database that was: a copy of it is another one.
  finished_in text,
  last_error text
);
