CREATE TABLE archives (
    id         uuid           PRIMARY KEY,
    account_id uuid           NOT NULL,
    job_id     uuid           NOT NULL,
    contents   text           NOT NULL,
    formats    text           NOT NULL,
    state      text           NOT NULL DEFAULT 'building',
    parts      jsonb          NOT NULL DEFAULT '[]',
    error      jsonb,
    created_at timestamptz(3) NOT NULL,
    begun_at   timestamptz(3),
    bytes      bigint         NOT NULL DEFAULT 0,
    ended_at   timestamptz(3),
    expires_at timestamptz(3)
);
CREATE INDEX archives_by_contents ON archives (job_id, contents, created_at);
CREATE INDEX archives_by_account ON archives (account_id, expires_at);
CREATE INDEX archives_by_expiry ON archives (expires_at);
-- Requests during a build wait for it.
CREATE UNIQUE INDEX one_build_at_a_time ON archives (job_id, contents) WHERE state = 'building';

CREATE TABLE archive_days (
    account_id uuid    NOT NULL,
    day        date    NOT NULL,
    builds     integer NOT NULL,
    PRIMARY KEY (account_id, day)
);
CREATE INDEX archive_days_by_day ON archive_days (day);

CREATE TABLE archive_objects (
    key          text PRIMARY KEY,
    archive_id   uuid NOT NULL REFERENCES archives (id),
    delete_after timestamptz(3)
);
CREATE INDEX archive_objects_by_archive ON archive_objects (archive_id);
CREATE INDEX archive_objects_to_delete ON archive_objects (delete_after);
