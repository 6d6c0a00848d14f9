-- The cache.

CREATE TABLE videos (
  id                char(11) PRIMARY KEY,
  title             text,
  channel_id        text,
  channel_title     text,
  published_at      text,
  duration          integer,
  description       text,
  tags              jsonb,
  view_count        bigint,
  thumbnail_url     text,
  -- [{start, title}], from the description.
  chapters          jsonb,
  status            text NOT NULL DEFAULT 'unknown'
                    CHECK (status IN ('unknown', 'fetched', 'no_captions', 'unavailable', 'error')),
  error_class       text,
  fact              jsonb,
  fact_expires_at   timestamptz(3),
  fact_retry_at     timestamptz(3),
  caption_tracks    jsonb NOT NULL DEFAULT '[]',
  original_language text,
  translatable      boolean,
  -- When the platform said the three above.
  tracks_at         timestamptz(3),
  selected_language text,
  selected_kind     text,
  fetched_at        timestamptz(3)
);
-- For the purge.
CREATE INDEX videos_by_end_of_fact ON videos (fact_expires_at) WHERE fact_expires_at IS NOT NULL;

CREATE TABLE transcripts (
  id               uuid PRIMARY KEY,
  video_id         char(11) NOT NULL,
  language_code    text NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('manual', 'asr')),
  translated       boolean NOT NULL,
  -- False if a refresh has found other captions: it keeps its id and its bytes.
  is_current       boolean NOT NULL DEFAULT true,
  object_key       text NOT NULL,
  words            integer,
  cached_at        timestamptz(3) NOT NULL,
  video            jsonb NOT NULL,
  strategy         text NOT NULL,
  restore_failed_at timestamptz(3)
);
CREATE UNIQUE INDEX transcripts_current ON transcripts (video_id, language_code, kind, translated) WHERE is_current;
CREATE INDEX transcripts_by_video ON transcripts (video_id);

CREATE TABLE selections (
  video_id      char(11) NOT NULL,
  language      text NOT NULL,
  transcript_id uuid REFERENCES transcripts,
  is_fallback   boolean NOT NULL,
  translation   text NOT NULL CHECK (translation IN ('not_requested', 'served', 'refused', 'unavailable')),
  available     text[] NOT NULL,
  expires_at    timestamptz(3),
  PRIMARY KEY (video_id, language)
);
CREATE INDEX selections_by_transcript ON selections (transcript_id);
-- For the purge.
CREATE INDEX selections_by_end ON selections (expires_at) WHERE transcript_id IS NULL;

CREATE TABLE rendered_files (
  transcript_id uuid NOT NULL REFERENCES transcripts,
  format        text NOT NULL,
  object_key    text NOT NULL,
  bytes         integer NOT NULL,
  sha256        text NOT NULL,
  crc32         bigint NOT NULL,
  PRIMARY KEY (transcript_id, format)
);

-- Work that fills it.

-- Of reads, and of rows of jobs. The order counts: a fetch for both uses a slot of reads.
CREATE TYPE priority AS ENUM ('reads', 'jobs');

CREATE TABLE fetches (
  id        uuid PRIMARY KEY,
  priority  priority NOT NULL,
  video_id  char(11) NOT NULL,
  language  text NOT NULL,
  fallback  boolean NOT NULL,
  state     text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  worker_id uuid,
  losses    smallint NOT NULL DEFAULT 0,
  begun_at  timestamptz(3) NOT NULL DEFAULT now(),
  ended_at  timestamptz(3)
);
CREATE UNIQUE INDEX fetches_one_open ON fetches (video_id, language, fallback) WHERE state = 'open';
CREATE INDEX fetches_of_worker ON fetches (worker_id) WHERE state = 'open';
CREATE INDEX fetches_by_age ON fetches (begun_at);

-- A process that runs fetches; after `alive_until` they are lost. `slots`: {reads, jobs}.
CREATE TABLE workers (id uuid PRIMARY KEY, alive_until timestamptz NOT NULL, slots jsonb NOT NULL);

CREATE TABLE turns (
  priority   priority NOT NULL,
  account_id uuid NOT NULL,
  turn       timestamptz NOT NULL,
  is_queued  boolean NOT NULL,
  PRIMARY KEY (priority, account_id)
);
CREATE INDEX turns_next ON turns (priority, turn) WHERE is_queued;
-- For the purge.
CREATE INDEX turns_by_age ON turns (turn) WHERE NOT is_queued;

CREATE TABLE batches (
  id         uuid PRIMARY KEY,
  priority   priority NOT NULL,
  account_id uuid NOT NULL,
  state      text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'held', 'stopped')),
  opening    uuid,
  waits      boolean NOT NULL DEFAULT false,
  turn       timestamptz NOT NULL DEFAULT '-infinity',
  is_queued    boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX batches_next ON batches (account_id, priority, turn) WHERE is_queued;
-- For the purge.
CREATE INDEX batches_by_age ON batches (created_at) WHERE NOT is_queued;

-- The newest version of a job's changes. A separate table, because writers of changes lock it last.
CREATE TABLE batch_versions (
  batch_id uuid PRIMARY KEY REFERENCES batches ON DELETE CASCADE,
  version bigint NOT NULL
);

CREATE TABLE reservations (
  ref        uuid PRIMARY KEY,
  batch_id    uuid NOT NULL REFERENCES batches ON DELETE CASCADE,
  day        date NOT NULL,
  scopes     text[] NOT NULL
);
CREATE INDEX reservations_of_batch ON reservations (batch_id);

CREATE TABLE operations (
  id            uuid PRIMARY KEY,
  priority      priority NOT NULL,
  batch_id       uuid,
  position      smallint NOT NULL,
  account_id    uuid NOT NULL,
  key_id        uuid,
  video_id      char(11) NOT NULL,
  language      text NOT NULL,
  fallback      boolean NOT NULL,
  format        text NOT NULL,
  -- opened: its credit is being reserved; ready: it waits for its turn; fetching: its turn has come.
  state         text NOT NULL CHECK (state IN ('opened', 'ready', 'fetching', 'delivered', 'failed', 'cancelled')),
  price         integer NOT NULL CHECK (price >= 0),
  charge        integer NOT NULL DEFAULT 0 CHECK (charge IN (0, price)),
  ref           uuid,
  item          smallint,
  fetch_id      uuid REFERENCES fetches,
  transcript_id uuid REFERENCES transcripts,
  is_fallback   boolean,
  translation   text,
  error         jsonb,
  reported_to       text,
  -- A read that asks the platform again although the cache has an answer. Repeats of its request have the same name.
  refresh       text,
  waived_at   timestamptz(3),
  -- The ledger has released its credit. A failed read is answered only then, so no caller sees a balance without it.
  released    boolean NOT NULL DEFAULT false,
  uncollected   boolean NOT NULL DEFAULT false,
  change_version          bigint NOT NULL DEFAULT 0,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  ended_at      timestamptz(3),
  CHECK ((state = 'delivered') = (transcript_id IS NOT NULL)),
  CHECK ((state = 'failed') = (error IS NOT NULL)),
  CHECK (charge = 0 OR state = 'delivered'),
  CHECK ((ended_at IS NOT NULL) = (state IN ('delivered', 'failed', 'cancelled')))
);
-- Parallel reads of one account for one track are one operation, reserved and charged once.
CREATE UNIQUE INDEX operations_one_read ON operations (account_id, video_id, language, fallback)
  WHERE priority = 'reads' AND state IN ('opened', 'ready', 'fetching');
CREATE INDEX operations_ready ON operations (batch_id, position) WHERE state = 'ready';
CREATE INDEX operations_opened ON operations (created_at) WHERE state = 'opened';
CREATE INDEX operations_of_batch ON operations (batch_id, change_version, position) WHERE priority = 'jobs';
CREATE INDEX operations_of_refresh ON operations (refresh) WHERE refresh IS NOT NULL;
-- For the purge of old batches: those that a read still refers to.
CREATE INDEX operations_of_queue ON operations (batch_id) WHERE priority = 'reads' AND batch_id IS NOT NULL;
CREATE INDEX operations_by_fetch ON operations (fetch_id);
CREATE INDEX operations_by_transcript ON operations (transcript_id);
-- For the comparison with the ledger.
CREATE INDEX operations_of_ref ON operations (ref) WHERE ref IS NOT NULL;
CREATE INDEX operations_charged ON operations (ended_at, id) WHERE charge > 0;
CREATE INDEX operations_waived ON operations (waived_at) WHERE waived_at IS NOT NULL;
CREATE INDEX operations_by_age ON operations (created_at);

CREATE TABLE settlements (
  id     uuid PRIMARY KEY,
  -- {ref, priority, batch_id, account_id, key_id, charge: items, release: items} for each reservation.
  reservations jsonb NOT NULL,
  tries  smallint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0
);
CREATE INDEX settlements_free_from ON settlements (greatest(due_at, lease_until));

CREATE TABLE cold_counts (
  scope text NOT NULL,
  day   date NOT NULL,
  count integer NOT NULL CHECK (count >= 0),
  PRIMARY KEY (scope, day)
) WITH (fillfactor = 70);
-- For the purge.
CREATE INDEX cold_counts_by_day ON cold_counts (day);

-- Bytes read through proxies on the latest UTC day of a scope: `all`, or one caller.
CREATE TABLE proxy_spending (
  scope text   PRIMARY KEY,
  day   date   NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
-- For the purge.
CREATE INDEX proxy_spending_by_day ON proxy_spending (day);

-- What accounts have received, and its words.

CREATE TABLE library_entries (
  account_id    uuid NOT NULL,
  transcript_id uuid NOT NULL,
  language_code text NOT NULL,
  received_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- Received by a read, and not by jobs alone.
  is_read       boolean NOT NULL,
  dictionary    text,
  passage_count integer,
  -- Keys of the account's words (`library_keys`); null if they are not indexed yet.
  words         bigint[],
  PRIMARY KEY (account_id, transcript_id)
);
CREATE INDEX library_newest ON library_entries (account_id, received_at DESC, transcript_id);
CREATE INDEX library_unindexed ON library_entries (transcript_id) WHERE words IS NULL;
CREATE INDEX library_of_transcript ON library_entries (transcript_id);
-- New words go into the index at once: a list of them that waits would be read by the searches of all accounts.
CREATE INDEX library_words ON library_entries USING gin (words) WITH (fastupdate = off) WHERE words IS NOT NULL;

CREATE TABLE unindexed_transcripts (
  id          uuid PRIMARY KEY,
  due_at      timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0,
  -- A try counts before it begins, so that it counts even if the process dies of it.
  tries       smallint NOT NULL DEFAULT 0
);
CREATE INDEX unindexed_free_from ON unindexed_transcripts (greatest(due_at, lease_until));

CREATE TABLE library_jobs (
  job_id        uuid NOT NULL,
  account_id    uuid NOT NULL,
  transcript_id uuid NOT NULL,
  PRIMARY KEY (job_id, transcript_id)
);
CREATE INDEX library_jobs_of_transcript ON library_jobs (account_id, transcript_id);

CREATE TABLE passages (
  transcript_id uuid NOT NULL REFERENCES transcripts,
  position      integer NOT NULL,
  start_ms      integer NOT NULL,
  end_ms        integer NOT NULL,
  text          text NOT NULL,
  -- A pair for each caption: its position in the text, and its milliseconds.
  captions      integer[] NOT NULL,
  words         tsvector NOT NULL,
  PRIMARY KEY (transcript_id, position)
);

CREATE TABLE library_removals (
  id         uuid PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The cache's answer for a track.
CREATE TYPE known AS (
  -- delivered; strict: missing in exactly this language; fact: the video prevents a delivery; null: cold.
  outcome         text,
  title           text,
  channel_id      text,
  channel_title   text,
  published_at    text,
  duration        integer,
  fact            jsonb,
  fact_expires_at timestamptz,
  fact_retry_at   timestamptz,
  is_fallback     boolean,
  translation     text,
  available       text[],
  expires_at      timestamptz,
  transcript_id   uuid,
  language_code   text,
  kind            text,
  cues_key        text,
  cached_at       timestamptz,
  snapshot        jsonb,
  strategy        text,
  file_key        text,
  bytes           integer,
  sha256          text,
  crc32           bigint
);

-- A row of a request in `open_rows`: the state of its operation, or whether the cache knows its track; what it knows is kept for a job.
CREATE TYPE opened_row AS (
  id uuid,
  position smallint,
  video_id char(11),
  price integer,
  state text,
  operation_id uuid,
  known known
);

-- A fetch that a worker runs.
CREATE TYPE begun AS (
  fetch_id   uuid,
  priority   priority,
  -- One of the accounts that wait for it.
  account_id uuid,
  video_id   text,
  language   text,
  fallback   boolean,
  format     text,
  losses     smallint,
  known      known,
  -- All cached tracks of the video: {id, language_code, kind, translated, object_key}.
  tracks     jsonb
);
