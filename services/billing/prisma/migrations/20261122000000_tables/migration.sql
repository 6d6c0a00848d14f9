-- Money: purchases, and the payment processor's reports about them.

CREATE TYPE tier AS ENUM ('free', 'paid');
CREATE TYPE buyer AS ENUM ('account', 'stranger');
CREATE TYPE purchase_state AS ENUM ('opening', 'open', 'expired', 'processing', 'paid');
CREATE TYPE refund_request_state AS ENUM ('asked', 'taken', 'submitted', 'refused');
-- A status is only replaced by a greater one.
CREATE TYPE refund_status AS ENUM ('pending', 'succeeded', 'failed');
CREATE TYPE dispute_status AS ENUM ('open', 'won', 'lost');

CREATE TABLE customers (
    account_id UUID NOT NULL,
    processor_id TEXT,
    tier tier NOT NULL DEFAULT 'free',
    is_disputed BOOLEAN NOT NULL DEFAULT false,
    version BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT customers_pkey PRIMARY KEY (account_id)
);

CREATE TABLE purchases (
    id UUID NOT NULL,
    bought_by buyer NOT NULL,
    account_id UUID,
    email TEXT,
    block INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    state purchase_state NOT NULL,
    session_id TEXT,
    customer_id TEXT,
    payment_intent_id TEXT,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    paid_at TIMESTAMPTZ(3),
    admitted_at TIMESTAMPTZ(3),
    granted_at TIMESTAMPTZ(3),
    changed_at TIMESTAMPTZ(3) NOT NULL,
    receipt_url TEXT,
    page_url TEXT,
    idempotency_key TEXT,

    CONSTRAINT purchases_pkey PRIMARY KEY (id)
);

CREATE TABLE refund_requests (
    purchase_id UUID NOT NULL,
    id UUID NOT NULL,
    reason TEXT,
    state refund_request_state NOT NULL,
    processor_id TEXT,
    asked_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT refund_requests_pkey PRIMARY KEY (purchase_id)
);

CREATE TABLE refunds (
    id TEXT NOT NULL,
    payment_intent_id TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    status refund_status NOT NULL,

    CONSTRAINT refunds_pkey PRIMARY KEY (id)
);

CREATE TABLE disputes (
    id TEXT NOT NULL,
    payment_intent_id TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    status dispute_status NOT NULL,

    CONSTRAINT disputes_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_events (
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    received_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT payment_events_pkey PRIMARY KEY (id)
);

CREATE TABLE reconciliation (
    is_only BOOLEAN NOT NULL DEFAULT true,
    up_to TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT reconciliation_pkey PRIMARY KEY (is_only)
);

CREATE TABLE mismatched_payments (
    id TEXT NOT NULL,
    code TEXT NOT NULL,
    purchase_id UUID,
    noted_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    looked_at TIMESTAMPTZ(3),

    CONSTRAINT mismatched_payments_pkey PRIMARY KEY (id)
);

CREATE TABLE checkout_windows (
    caller TEXT NOT NULL,
    started_at TIMESTAMPTZ(3) NOT NULL,
    checkouts INTEGER NOT NULL,

    CONSTRAINT checkout_windows_pkey PRIMARY KEY (caller)
);

CREATE UNIQUE INDEX customers_processor_id_key ON customers(processor_id);

CREATE UNIQUE INDEX purchases_session_id_key ON purchases(session_id);

CREATE UNIQUE INDEX purchases_payment_intent_id_key ON purchases(payment_intent_id);

CREATE INDEX purchases_of_account ON purchases(account_id, created_at DESC);

CREATE INDEX purchases_by_change ON purchases(changed_at, id);

CREATE UNIQUE INDEX refund_requests_id_key ON refund_requests(id);

CREATE UNIQUE INDEX refund_requests_processor_id_key ON refund_requests(processor_id);

CREATE INDEX refunds_payment_intent_id_idx ON refunds(payment_intent_id);

CREATE INDEX disputes_payment_intent_id_idx ON disputes(payment_intent_id);

CREATE INDEX payment_events_received_at_idx ON payment_events(received_at);

CREATE INDEX checkout_windows_started_at_idx ON checkout_windows(started_at);

ALTER TABLE refund_requests ADD CONSTRAINT refund_requests_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id) ON DELETE RESTRICT ON UPDATE NO ACTION;

-- An account has one open page at a time.
CREATE UNIQUE INDEX purchases_open ON purchases (account_id) WHERE state IN ('opening', 'open');
-- One page for all repeats of a request. If its page never opened, the key is free again. A stranger's key applies to one block only, so
-- that a guessed key reveals nothing of another stranger's page.
CREATE UNIQUE INDEX purchases_by_idempotency_key
  ON purchases (coalesce(email, account_id::text), (CASE WHEN email IS NULL THEN 0 ELSE block END), idempotency_key)
  WHERE idempotency_key IS NOT NULL AND (page_url IS NOT NULL OR state = 'opening');
-- For the purge of unpaid purchases and the backlog of grants, which otherwise read all that was paid.
CREATE INDEX purchases_expired ON purchases (changed_at) WHERE state = 'expired';
CREATE INDEX purchases_ungranted ON purchases (changed_at) WHERE paid_at IS NOT NULL AND granted_at IS NULL;
-- Unpaid pages, for the schedule that expires them.
CREATE INDEX purchases_unpaid ON purchases (expires_at) WHERE state IN ('opening', 'open');
-- Purchases of strangers that wait for acceptance: by their address, and by their age.
CREATE INDEX purchases_waiting ON purchases (email) WHERE state = 'paid' AND account_id IS NULL;
CREATE INDEX purchases_waiting_since ON purchases (paid_at) WHERE state = 'paid' AND account_id IS NULL;

ALTER TABLE purchases
  ADD CHECK (block > 0 AND amount > 0 AND currency ~ '^[a-z]{3}$'),
  ADD CHECK ((bought_by = 'stranger') = (email IS NOT NULL)),
  ADD CHECK (account_id IS NOT NULL OR email IS NOT NULL),
  ADD CHECK (state <> 'paid' OR (paid_at IS NOT NULL AND payment_intent_id IS NOT NULL));
ALTER TABLE refunds ADD CHECK (amount > 0);
ALTER TABLE disputes ADD CHECK (amount > 0);
ALTER TABLE reconciliation ADD CHECK (is_only);

-- The money that has moved of each purchase. Refunds and disputes each count up to its price, and count as its whole price if they are
-- in another currency, because amounts of two currencies cannot be compared.
CREATE VIEW moved_money AS
SELECT p.id AS purchase_id,
  (SELECT least(p.amount, coalesce(sum(CASE WHEN r.currency = p.currency THEN r.amount ELSE p.amount END), 0))::integer
   FROM refunds AS r WHERE r.payment_intent_id = p.payment_intent_id AND r.status <> 'failed') AS refunded,
  (SELECT least(p.amount, coalesce(sum(CASE WHEN d.currency = p.currency THEN d.amount ELSE p.amount END), 0))::integer
   FROM disputes AS d WHERE d.payment_intent_id = p.payment_intent_id AND d.status <> 'won') AS disputed,
  EXISTS (SELECT FROM disputes AS d WHERE d.payment_intent_id = p.payment_intent_id) AS has_dispute,
  -- The block is taken back, and its money follows.
  EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state = 'taken') AS is_taken_back,
  -- The account has given the block back, whether or not its money has followed.
  EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state IN ('taken', 'submitted')) AS is_returned
FROM purchases AS p;
