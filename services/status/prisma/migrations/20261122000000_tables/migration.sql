-- The health of the service: observations, the incidents and days that follow from them, and latencies.

CREATE TABLE reports (
    instance UUID NOT NULL,
    observed_at TIMESTAMPTZ(3) NOT NULL,
    strategies JSONB NOT NULL,
    capacity TEXT NOT NULL,
    -- How many of its last fetches ended with a fault of the route; null if there were few.
    faults TEXT,

    CONSTRAINT reports_pkey PRIMARY KEY (instance)
);

CREATE TABLE canary (
    is_only BOOLEAN NOT NULL DEFAULT true,
    checked_at TIMESTAMPTZ(3) NOT NULL,
    routes JSONB NOT NULL,
    translation TEXT,

    CONSTRAINT canary_pkey PRIMARY KEY (is_only)
);

CREATE TABLE slots (
    slot_at TIMESTAMPTZ(3) NOT NULL,
    is_healthy BOOLEAN NOT NULL,

    CONSTRAINT slots_pkey PRIMARY KEY (slot_at)
);

CREATE TABLE evaluated_days (
    day DATE NOT NULL,
    observed_slots SMALLINT NOT NULL,
    outage_slots SMALLINT NOT NULL,
    is_outage BOOLEAN NOT NULL,
    evaluated_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT evaluated_days_pkey PRIMARY KEY (day)
);

CREATE TABLE changes (
    changed_at TIMESTAMPTZ(3) NOT NULL,
    impaired TEXT[] NOT NULL,

    CONSTRAINT changes_pkey PRIMARY KEY (changed_at)
);

CREATE TABLE latency (
    slot_at TIMESTAMPTZ(3) NOT NULL,
    cohort TEXT NOT NULL,
    instance UUID NOT NULL,
    counts INTEGER[] NOT NULL,

    CONSTRAINT latency_pkey PRIMARY KEY (slot_at,cohort,instance)
);
