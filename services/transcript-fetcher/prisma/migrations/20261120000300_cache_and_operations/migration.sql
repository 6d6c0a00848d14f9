CREATE TABLE videos (
  id                char(11) PRIMARY KEY,
  title             text,
  channel_id        text,
  channel_title     text,
  published_at      text,
  duration          integer,
  status            text NOT NULL DEFAULT 'unknown'
                    CHECK (status IN ('unknown', 'fetched', 'no_captions', 'unavailable', 'error')),
  error_class       text,
  fact              jsonb,
  fact_expires_at   timestamptz(3),
  caption_tracks    jsonb NOT NULL DEFAULT '[]',
  selected_language text,
  selected_kind     text,
  fetched_at        timestamptz(3)
);

CREATE TABLE transcripts (
  id            uuid PRIMARY KEY,
  video_id      char(11) NOT NULL,
  language_code text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('manual', 'asr')),
  translated    boolean NOT NULL,
  object_key    text NOT NULL,
  cue_count     integer NOT NULL CHECK (cue_count > 0),
  cached_at     timestamptz(3) NOT NULL,
  UNIQUE (video_id, language_code, kind, translated)
);

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

CREATE TABLE rendered_files (
  transcript_id uuid NOT NULL REFERENCES transcripts,
  format        text NOT NULL,
  object_key    text NOT NULL,
  bytes         integer NOT NULL,
  sha256        text NOT NULL,
  crc32         bigint NOT NULL,
  PRIMARY KEY (transcript_id, format)
);

CREATE TABLE fetches (
  id         uuid PRIMARY KEY,
  video_id   char(11) NOT NULL,
  language   text NOT NULL,
  fallback   boolean NOT NULL,
  state      text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at   timestamptz(3)
);

-- At most one upstream fetch per track at any time, whatever runs in parallel.
CREATE UNIQUE INDEX fetches_one_open ON fetches (video_id, language, fallback) WHERE state = 'open';

CREATE TABLE operations (
  id              uuid PRIMARY KEY,
  account_id      uuid NOT NULL,
  key_id          uuid NOT NULL,
  video_id        char(11) NOT NULL,
  language        text NOT NULL,
  fallback        boolean NOT NULL,
  format          text NOT NULL,
  -- reserving: the ledger has been or will be asked; fetching: attached to a fetch; then delivered or failed.
  state           text NOT NULL CHECK (state IN ('reserving', 'fetching', 'delivered', 'failed')),
  settlement      text NOT NULL DEFAULT 'pending' CHECK (settlement IN ('pending', 'settled', 'released')),
  fetch_id        uuid REFERENCES fetches,
  transcript_id   uuid REFERENCES transcripts,
  charge          integer NOT NULL DEFAULT 0 CHECK (charge IN (0, 1)),
  charge_reported boolean NOT NULL DEFAULT false,
  is_fallback     boolean,
  translation     text,
  error           jsonb,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  ended_at        timestamptz(3),
  CHECK ((state = 'delivered') = (transcript_id IS NOT NULL)),
  CHECK ((state = 'failed') = (error IS NOT NULL)),
  CHECK (charge = 0 OR state = 'delivered')
);

-- Parallel requests of one account for one track are one operation, reserved and charged once.
CREATE UNIQUE INDEX operations_one_open ON operations (account_id, video_id, language, fallback)
  WHERE state IN ('reserving', 'fetching');
CREATE INDEX operations_by_fetch ON operations (fetch_id) WHERE state = 'fetching';
-- What the sweeper looks through: work that has not ended, and ended work whose credits are not resolved.
CREATE INDEX operations_unresolved ON operations (created_at)
  WHERE state IN ('reserving', 'fetching') OR settlement = 'pending';
CREATE INDEX operations_by_age ON operations (created_at);

CREATE TABLE proxy_spending (
  day   date PRIMARY KEY,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
