-- CreateTable
CREATE TABLE "kept_replies" (
    "account_id" UUID NOT NULL,
    "actor" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "nonce" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "reply" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_replies_pkey" PRIMARY KEY ("account_id","actor","operation","digest")
);

-- CreateIndex
CREATE INDEX "kept_replies_created_at_idx" ON "kept_replies"("created_at");
