-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "mailbox" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "status_version" INTEGER NOT NULL DEFAULT 0,
    "status_changed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_addresses" (
    "email" TEXT NOT NULL,
    "challenge_id" UUID NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "wrong_guesses" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "day_started_at" TIMESTAMPTZ(3),
    "day_guesses" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sign_in_addresses_pkey" PRIMARY KEY ("email")
);

-- CreateTable
CREATE TABLE "throttle_windows" (
    "scope" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "hits" INTEGER NOT NULL,

    CONSTRAINT "throttle_windows_pkey" PRIMARY KEY ("scope","subject")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "keyed_digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "idle_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "keyed_digest" BYTEA NOT NULL,
    "sealed_digest" BYTEA NOT NULL,
    "daily_credit_cap" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoke_at" TIMESTAMPTZ(3),
    "changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID,
    "request_id" TEXT NOT NULL,
    "client_address" TEXT,
    "detail" TEXT,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts"("email");

-- CreateIndex
CREATE INDEX "accounts_mailbox_idx" ON "accounts"("mailbox");

-- CreateIndex
CREATE INDEX "accounts_status_changed_at_idx" ON "accounts"("status_changed_at");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_addresses_challenge_id_key" ON "sign_in_addresses"("challenge_id");

-- CreateIndex
CREATE INDEX "sign_in_addresses_expires_at_idx" ON "sign_in_addresses"("expires_at");

-- CreateIndex
CREATE INDEX "throttle_windows_started_at_idx" ON "throttle_windows"("started_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_keyed_digest_key" ON "sessions"("keyed_digest");

-- CreateIndex
CREATE INDEX "sessions_account_id_idx" ON "sessions"("account_id");

-- CreateIndex
CREATE INDEX "sessions_idle_expires_at_idx" ON "sessions"("idle_expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_keyed_digest_key" ON "api_keys"("keyed_digest");

-- CreateIndex
CREATE INDEX "api_keys_account_id_idx" ON "api_keys"("account_id");

-- CreateIndex
CREATE INDEX "api_keys_changed_at_idx" ON "api_keys"("changed_at");

-- CreateIndex
CREATE INDEX "api_keys_revoke_at_idx" ON "api_keys"("revoke_at");

-- CreateIndex
CREATE INDEX "audit_entries_account_id_at_idx" ON "audit_entries"("account_id", "at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules that Prisma's schema cannot state
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_status_known" CHECK ("status" IN ('active', 'frozen', 'closed'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_cap_positive" CHECK ("daily_credit_cap" > 0);
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_digest_length" CHECK (octet_length("keyed_digest") = 32);
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_digest_length" CHECK (octet_length("keyed_digest") = 32);

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only';
END
$$;

CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
