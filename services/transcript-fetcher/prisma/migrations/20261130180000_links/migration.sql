CREATE TABLE links (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    key_id uuid NOT NULL,
    person_id uuid NOT NULL,
    transcript_id uuid NOT NULL,
    language text,
    is_fallback boolean NOT NULL,
    translation text NOT NULL,
    start double precision,
    "end" double precision,
    days smallint NOT NULL,
    idempotency_key text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ends_at timestamptz(3) NOT NULL,
    opens integer NOT NULL DEFAULT 0,
    CONSTRAINT links_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX links_by_idempotency_key ON links(account_id, idempotency_key);

CREATE INDEX links_of_account ON links(account_id, created_at DESC, id);

CREATE INDEX links_by_end ON links(ends_at);
