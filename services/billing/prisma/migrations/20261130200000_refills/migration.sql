CREATE TYPE refill_state AS ENUM ('off', 'card_missing', 'on', 'paused');

CREATE TABLE refills (
    account_id UUID NOT NULL,
    state refill_state NOT NULL DEFAULT 'off',
    reason TEXT,
    threshold INTEGER,
    block INTEGER,
    amount INTEGER,
    currency TEXT,
    monthly_limit INTEGER,
    customer_id TEXT,
    payment_method_id TEXT,
    person_id UUID NOT NULL,
    version BIGINT NOT NULL DEFAULT 0,
    changed_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT refills_pkey PRIMARY KEY (account_id)
);

ALTER TABLE refills
  ADD CHECK (state = 'off' OR num_nulls(threshold, block, amount, currency, monthly_limit) = 0),
  ADD CHECK (state NOT IN ('on', 'paused') OR num_nulls(customer_id, payment_method_id) = 0),
  ADD CHECK (state <> 'off' OR payment_method_id IS NULL);

-- For the look at accounts that are refilled.
CREATE INDEX refills_on ON refills (account_id) WHERE state = 'on';

ALTER TABLE purchases ADD COLUMN payment_method_id TEXT;
