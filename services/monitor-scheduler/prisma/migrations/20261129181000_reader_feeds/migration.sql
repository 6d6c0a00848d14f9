CREATE TABLE reader_feeds (
    subject_id UUID NOT NULL,
    account_id UUID NOT NULL,
    monitor_id UUID,
    feed_id UUID,
    changed_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT reader_feeds_pkey PRIMARY KEY (subject_id),
    CONSTRAINT reader_feeds_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE UNIQUE INDEX reader_feeds_by_feed ON reader_feeds(feed_id);

CREATE INDEX reader_feeds_of_account ON reader_feeds(account_id);

CREATE INDEX reader_feeds_of_monitor ON reader_feeds(monitor_id);
