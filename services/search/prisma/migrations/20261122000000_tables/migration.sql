-- Listings: the videos of a channel or a playlist, page by page.

CREATE TABLE listings (
    id          uuid           PRIMARY KEY,
    playlist_id text           NOT NULL,
    contents    text           NOT NULL,
    state       text           NOT NULL DEFAULT 'open',
    phase       text           NOT NULL,
    next_token  text,
    row_count   integer        NOT NULL DEFAULT 0,
    page_count  integer        NOT NULL DEFAULT 0,
    error       jsonb,
    created_at  timestamptz(3) NOT NULL,
    ended_at    timestamptz(3),
    -- Entries that could not be read.
    omitted     integer        NOT NULL DEFAULT 0
);
CREATE INDEX listings_by_source ON listings (playlist_id, contents, created_at);
CREATE INDEX listings_by_age ON listings (created_at);
-- Requests for a listing that is being made join it.
CREATE UNIQUE INDEX one_open_listing ON listings (playlist_id, contents) WHERE state = 'open';

CREATE TABLE listing_pages (
    listing_id     uuid    NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    number         integer NOT NULL,
    phase          text    NOT NULL,
    first_position integer NOT NULL,
    row_count      integer NOT NULL,
    rows           jsonb   NOT NULL,
    PRIMARY KEY (listing_id, number)
);

CREATE TABLE walks (
    key_id      uuid           NOT NULL,
    playlist_id text           NOT NULL,
    contents    text           NOT NULL,
    listing_id  uuid           NOT NULL,
    begun_at    timestamptz(3) NOT NULL,
    PRIMARY KEY (key_id, playlist_id, contents)
);
CREATE INDEX walks_by_age ON walks (begun_at);

-- Known channels, videos and lists of videos.

CREATE TABLE channel_names (
    name       text           PRIMARY KEY,
    channel_id text,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX channel_names_by_age ON channel_names (expires_at);

CREATE TABLE known_videos (
    id               char(11)       PRIMARY KEY,
    is_available     boolean        NOT NULL,
    title            text,
    published_at     timestamptz(3),
    duration_seconds integer,
    thumbnail_url    text,
    is_short         boolean,
    checked_at       timestamptz(3) NOT NULL
);
CREATE INDEX known_videos_by_age ON known_videos (checked_at);

CREATE TABLE video_lists (
    key        text           PRIMARY KEY,
    video_ids  text[],
    created_at timestamptz(3) NOT NULL,
    used_at    timestamptz(3) NOT NULL
);
CREATE INDEX video_lists_by_use ON video_lists (used_at);

-- Searches: a page of results each, with the credit that it costs.

CREATE TABLE searches (
    id           uuid           PRIMARY KEY,
    account_id   uuid           NOT NULL,
    key_id       uuid           NOT NULL,
    limit_id     uuid           NOT NULL,
    fingerprint  text           NOT NULL,
    question     text           NOT NULL,
    state        text           NOT NULL DEFAULT 'open',
    settlement   text,
    results      jsonb,
    next_token   text,
    continuation text,
    error        jsonb,
    created_at   timestamptz(3) NOT NULL,
    ended_at     timestamptz(3),
    waived_at  timestamptz(3)
);
CREATE UNIQUE INDEX searches_continuation_key ON searches (continuation);
CREATE INDEX searches_by_question ON searches (key_id, fingerprint, ended_at);
CREATE INDEX searches_by_age ON searches (created_at);
-- A key has the same page open once at a time.
CREATE UNIQUE INDEX one_open_search ON searches (key_id, fingerprint) WHERE state IN ('open', 'fetched');
-- For the schedules: running searches, and credits to release.
CREATE INDEX searches_under_way ON searches (created_at) WHERE state IN ('open', 'fetched');
CREATE INDEX searches_to_release ON searches (created_at) WHERE state = 'failed' AND settlement IS NULL;

-- Used parts of a day's allowances.

CREATE TABLE day_counts (
    scope text    NOT NULL,
    day   date    NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (scope, day)
);
CREATE INDEX day_counts_by_day ON day_counts (day);

CREATE TABLE counted_inputs (
    scope text NOT NULL,
    day   date NOT NULL,
    input text NOT NULL,
    PRIMARY KEY (scope, day, input)
);
CREATE INDEX counted_inputs_by_day ON counted_inputs (day);

-- Bytes read through proxies on the latest UTC day of a scope: `all`, or one caller.
CREATE TABLE proxy_spending (
  scope text   PRIMARY KEY,
  day   date   NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
-- For the purge, which otherwise reads all that is kept.
CREATE INDEX proxy_spending_by_day ON proxy_spending (day);
