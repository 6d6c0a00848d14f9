CREATE TABLE watched_jobs (
    job_id UUID NOT NULL,
    account_id UUID NOT NULL,
    monitor_id TEXT NOT NULL,

    CONSTRAINT watched_jobs_pkey PRIMARY KEY (job_id)
);

CREATE INDEX watched_jobs_of_monitor ON watched_jobs(account_id, monitor_id);

CREATE TABLE unmatched_deliveries (
    transcript_id UUID NOT NULL,
    monitor_id TEXT NOT NULL,
    account_id UUID NOT NULL,
    job_id UUID NOT NULL,

    CONSTRAINT unmatched_deliveries_pkey PRIMARY KEY (transcript_id,monitor_id)
);

CREATE INDEX unmatched_of_account ON unmatched_deliveries(account_id);

CREATE TABLE word_matches (
    id UUID NOT NULL,
    account_id UUID NOT NULL,
    monitor_id TEXT NOT NULL,
    job_id UUID NOT NULL,
    transcript_id UUID NOT NULL,
    query TEXT NOT NULL,
    passages JSONB NOT NULL,
    found_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT word_matches_pkey PRIMARY KEY (id)
);

CREATE INDEX word_matches_of_monitor ON word_matches(account_id, monitor_id, found_at DESC, id);

CREATE INDEX word_matches_of_job ON word_matches(job_id);

CREATE INDEX word_matches_by_age ON word_matches(found_at);
