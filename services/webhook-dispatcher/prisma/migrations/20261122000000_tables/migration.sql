CREATE TABLE queues (
  account_id uuid PRIMARY KEY,
  due_at timestamptz(3),
  webhook_version bigint NOT NULL DEFAULT 0,
  asked_on date,
  asked integer NOT NULL DEFAULT 0
);
CREATE INDEX queues_by_turn ON queues (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE secrets (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE webhooks (
  account_id uuid PRIMARY KEY,
  url text NOT NULL,
  secret_id uuid NOT NULL REFERENCES secrets (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  low_balance_threshold integer CHECK (low_balance_threshold > 0),
  enabled boolean NOT NULL,
  disabled_reason text CHECK (disabled_reason IN ('failing', 'secret_lost')),
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  failed_on date,
  failed_days smallint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  updated_by_key_id uuid,
  CHECK (enabled = (disabled_reason IS NULL AND disabled_at IS NULL))
);
CREATE INDEX webhooks_by_secret ON webhooks (secret_id);

CREATE TABLE endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  url text NOT NULL,
  due_at timestamptz(3),
  is_failing boolean NOT NULL DEFAULT false,
  used_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX endpoints_by_url ON endpoints (account_id, url);
CREATE INDEX endpoints_by_turn ON endpoints (account_id, due_at);

-- Each row is written three times, so it has no foreign keys, and few indexes beside those of claims.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  secret_id uuid,
  is_override boolean NOT NULL,
  -- The key that gave the URL of a job or a monitor.
  key_id uuid,
  job_id uuid,
  job_version bigint,
  monitor_id text,
  resent_from uuid,
  replaced_by uuid,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'delivered', 'failed')),
  -- An event is attempted at most five times, even by a faulty process.
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 5),
  attempt_log jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_array_length(attempt_log) <= 5),
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CHECK ((state IN ('delivered', 'failed')) = (ended_at IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (due_at IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (secret_id IS NOT NULL))
);
CREATE INDEX deliveries_waiting ON deliveries (endpoint_id, due_at) WHERE state = 'waiting';
CREATE INDEX deliveries_sending ON deliveries (account_id) WHERE state = 'sending';
CREATE INDEX deliveries_open_of_job ON deliveries (job_id, job_version) WHERE job_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX deliveries_by_account ON deliveries (account_id, created_at DESC, id);
CREATE INDEX deliveries_by_job ON deliveries (job_id, created_at DESC) WHERE job_id IS NOT NULL;
CREATE INDEX deliveries_by_monitor ON deliveries (monitor_id, created_at DESC) WHERE monitor_id IS NOT NULL;
CREATE INDEX deliveries_pending_by_account ON deliveries (account_id, created_at DESC, id) WHERE ended_at IS NULL;
CREATE INDEX deliveries_ended_by_account ON deliveries (account_id, state, created_at DESC, id) WHERE ended_at IS NOT NULL;
-- A B-tree: the summaries of a BRIN index never narrow again, so a purge of an aged table would read it whole.
CREATE INDEX deliveries_by_age ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
