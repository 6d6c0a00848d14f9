CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  has_webhook boolean NOT NULL DEFAULT false,
  webhook_version bigint NOT NULL DEFAULT 0,
  tier text CHECK (tier IN ('free', 'paid')),
  tier_asked_at timestamptz
);

CREATE TABLE feeds (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('channel', 'playlist')),
  source_id text NOT NULL,
  title text,
  watchers integer NOT NULL DEFAULT 0 CHECK (watchers >= 0),
  last_number integer NOT NULL DEFAULT 0,
  knows_list boolean NOT NULL DEFAULT false,
  list_in integer CHECK (list_in >= 0),
  list_token text,
  list_pages integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  checked_at timestamptz(3),
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  lease_epoch bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX feeds_by_source ON feeds (kind, source_id);
CREATE INDEX feeds_free_from ON feeds (greatest(due_at, lease_until));
-- The checks under way.
CREATE INDEX feeds_in_work ON feeds (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX feeds_unwatched ON feeds (checked_at) WHERE watchers = 0;

CREATE TABLE videos (
  feed_id uuid NOT NULL REFERENCES feeds (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  video_id char(11) NOT NULL,
  number integer,
  title text,
  published_at timestamptz(3),
  ask_at timestamptz(3),
  found_at timestamptz(3) NOT NULL,
  PRIMARY KEY (feed_id, video_id),
  CHECK (number IS NULL OR ask_at IS NULL)
);
-- Each new video of a feed has its own number, so that no monitor emits it twice.
CREATE UNIQUE INDEX videos_by_number ON videos (feed_id, number) WHERE number IS NOT NULL;
CREATE INDEX videos_not_out ON videos (feed_id, ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE held_videos (
  feed_id uuid NOT NULL REFERENCES feeds (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  video_id char(11) NOT NULL,
  place integer NOT NULL,
  title text,
  published_at timestamptz(3),
  held_at timestamptz(3) NOT NULL,
  PRIMARY KEY (feed_id, video_id)
);

CREATE TABLE monitors (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  feed_id uuid REFERENCES feeds (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  kind text NOT NULL,
  source_id text NOT NULL,
  title text,
  auto_fetch boolean NOT NULL,
  language text NOT NULL,
  fallback boolean NOT NULL,
  webhook_url text,
  key_id uuid,
  created_at timestamptz(3) NOT NULL,
  cancelled_at timestamptz(3),
  found_before integer,
  checked_before timestamptz(3),
  uses_webhook boolean NOT NULL,
  lacks_credits boolean NOT NULL DEFAULT false,
  key_revoked boolean NOT NULL DEFAULT false,
  emitted_pause text CHECK (emitted_pause IN ('key_revoked', 'webhook_missing', 'feed_unavailable', 'insufficient_credits', 'tier_limit')),
  version bigint NOT NULL DEFAULT 0,
  baseline integer NOT NULL,
  emitted integer NOT NULL,
  fetched integer NOT NULL,
  fetching integer,
  job_error text,
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  lease_epoch bigint NOT NULL DEFAULT 0,
  CHECK ((cancelled_at IS NULL) = (feed_id IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (found_before IS NULL)),
  CHECK (baseline <= fetched AND baseline <= emitted),
  CHECK (fetching > fetched)
);
CREATE INDEX monitors_by_feed ON monitors (feed_id);
CREATE INDEX monitors_by_account ON monitors (account_id, created_at DESC, id);
-- An account watches a source once.
CREATE UNIQUE INDEX monitors_by_source ON monitors (account_id, kind, source_id) WHERE cancelled_at IS NULL;
CREATE INDEX monitors_free_from ON monitors (greatest(due_at, lease_until));
CREATE INDEX monitors_cancelled ON monitors (cancelled_at) WHERE cancelled_at IS NOT NULL;

-- Separate from the turns of monitors, so that a service that is away delays no new videos.
CREATE TABLE actions (
  id uuid PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  account_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  lease_epoch bigint NOT NULL DEFAULT 0
);
CREATE INDEX actions_free_from ON actions (greatest(due_at, lease_until));

CREATE TABLE monitor_jobs (
  monitor_id uuid NOT NULL REFERENCES monitors (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  up_to integer NOT NULL,
  after integer NOT NULL,
  job_id uuid NOT NULL,
  PRIMARY KEY (monitor_id, up_to)
);

CREATE TABLE monitor_keys (
  account_id uuid NOT NULL,
  key text NOT NULL,
  monitor_id uuid NOT NULL REFERENCES monitors (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, key)
);
CREATE INDEX monitor_keys_by_monitor ON monitor_keys (monitor_id);
CREATE INDEX monitor_keys_by_age ON monitor_keys (created_at);

CREATE TABLE creation_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  monitors integer NOT NULL DEFAULT 0,
  keys integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
);
CREATE INDEX creation_days_by_day ON creation_days (day);

CREATE TABLE proxy_spending (
  scope text   PRIMARY KEY,
  day   date   NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
