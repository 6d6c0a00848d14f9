CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid,
  limit_id uuid,
  tier text NOT NULL,
  idempotency_key text,
  -- SHA-256 of the request with the key, and its answer, compressed; after an erasure without the owner's texts.
  request_digest text,
  answer bytea,
  status text NOT NULL,
  pause_reason text,
  paused_since timestamptz(3),
  look_at timestamptz(3),
  error jsonb,
  source_kind text NOT NULL,
  source_input text,
  contents text NOT NULL,
  newest integer,
  is_listed boolean NOT NULL,
  format text NOT NULL,
  language text NOT NULL,
  fallback boolean NOT NULL,
  name text,
  metadata jsonb NOT NULL,
  webhook_url text,
  -- A webhook URL ends with the key that gave it.
  webhook_key_id uuid,
  webhook_status text NOT NULL DEFAULT 'none',
  webhook_version bigint NOT NULL DEFAULT 0,
  monitor_id text,
  notify_email boolean NOT NULL DEFAULT false,
  version bigint NOT NULL,
  opening_id uuid,
  is_forgotten boolean NOT NULL DEFAULT false,
  batch_version bigint NOT NULL DEFAULT 0,
  batch_position integer NOT NULL DEFAULT -1,
  heard_at timestamptz(3),
  read_until timestamptz(3),
  due_at timestamptz(3),
  lease_until timestamptz(3),
  lease_epoch bigint NOT NULL DEFAULT 0,
  trouble_count integer NOT NULL DEFAULT 0,
  trouble_since timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  erased_at timestamptz(3),
  -- Every change that ends a job's creation answers its key, or deletes the job.
  CONSTRAINT jobs_keys_answered CHECK (idempotency_key IS NULL OR answer IS NOT NULL OR status = 'creating')
);
CREATE UNIQUE INDEX jobs_account_id_idempotency_key_key ON jobs (account_id, idempotency_key);
CREATE INDEX jobs_by_account ON jobs (account_id, created_at DESC, id);
CREATE INDEX jobs_by_monitor ON jobs (account_id, monitor_id, created_at DESC, id);
-- Active jobs of an account and of a key.
CREATE INDEX active_jobs ON jobs (account_id) WHERE status IN ('creating', 'enumerating', 'pending', 'running', 'paused');
CREATE INDEX active_jobs_of_keys ON jobs (key_id) WHERE status IN ('creating', 'enumerating', 'pending', 'running', 'paused');
-- For the schedules: due, unheard and old jobs.
CREATE INDEX due_jobs ON jobs (greatest(due_at, lease_until)) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_at_fetcher ON jobs (heard_at) WHERE heard_at IS NOT NULL;
CREATE INDEX jobs_to_erase ON jobs (finished_at) WHERE finished_at IS NOT NULL AND erased_at IS NULL;

CREATE TABLE job_rows (
  job_id uuid NOT NULL CONSTRAINT job_rows_job_id_fkey REFERENCES jobs (id) ON DELETE CASCADE,
  position integer NOT NULL,
  video_id char(11) NOT NULL,
  title text,
  published_at text,
  status text NOT NULL DEFAULT 'pending',
  operation_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  waiting_for text,
  next_attempt_at timestamptz(3),
  waiting_since timestamptz(3),
  credits_charged integer NOT NULL DEFAULT 0,
  error jsonb,
  delivery jsonb,
  PRIMARY KEY (job_id, position)
);
CREATE UNIQUE INDEX job_rows_job_id_video_id_key ON job_rows (job_id, video_id);

CREATE TABLE webhooks (
  account_id uuid PRIMARY KEY,
  is_there boolean NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE creation_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  jobs integer NOT NULL,
  PRIMARY KEY (account_id, day)
);
CREATE INDEX creation_days_day_idx ON creation_days (day);
