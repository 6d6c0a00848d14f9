-- CreateTable
CREATE TABLE "jobs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID,
    "limit_id" UUID,
    "tier" TEXT NOT NULL,
    "account_created_at" TIMESTAMPTZ(3) NOT NULL,
    "daily_credit_cap" INTEGER,
    "idempotency_key" TEXT,
    "answer" TEXT,
    "status" TEXT NOT NULL,
    "pause_reason" TEXT,
    "resume_at" TIMESTAMPTZ(3),
    "error" JSONB,
    "source_kind" TEXT NOT NULL,
    "source_input" TEXT,
    "is_listed" BOOLEAN NOT NULL,
    "format" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "fallback" BOOLEAN NOT NULL,
    "monitor_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "runner_id" UUID,
    "task_id" UUID,
    "trouble_count" INTEGER NOT NULL DEFAULT 0,
    "trouble_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "touched_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_rows" (
    "job_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "video_id" CHAR(11) NOT NULL,
    "title" TEXT,
    "published_at" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "is_cold" BOOLEAN NOT NULL,
    "round" INTEGER,
    "part" INTEGER,
    "operation_id" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "waiting_since" TIMESTAMPTZ(3),
    "credits_charged" INTEGER NOT NULL DEFAULT 0,
    "delivered_language" TEXT,
    "is_fallback" BOOLEAN,
    "translation" TEXT,
    "caption_kind" TEXT,
    "strategy" TEXT,
    "transcript_id" UUID,
    "object_key" TEXT,
    "bytes" INTEGER,
    "sha256" TEXT,
    "error" JSONB,

    CONSTRAINT "job_rows_pkey" PRIMARY KEY ("job_id","position")
);

-- CreateTable
CREATE TABLE "job_rounds" (
    "job_id" UUID NOT NULL,
    "round" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "parts" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'wanted',

    CONSTRAINT "job_rounds_pkey" PRIMARY KEY ("job_id","round")
);

-- CreateIndex
CREATE INDEX "jobs_by_account" ON "jobs"("account_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_account_id_idempotency_key_key" ON "jobs"("account_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "job_rows_job_id_video_id_key" ON "job_rows"("job_id", "video_id");

-- CreateIndex
CREATE UNIQUE INDEX "job_rounds_ref_key" ON "job_rounds"("ref");

-- AddForeignKey
ALTER TABLE "job_rows" ADD CONSTRAINT "job_rows_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "job_rounds" ADD CONSTRAINT "job_rounds_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- The jobs of an account that count towards its active ones.
CREATE INDEX "active_jobs" ON "jobs"("account_id") WHERE status IN ('creating', 'enumerating', 'pending', 'running', 'paused');

-- For the sweepers: what is under way, what waits, and what nobody has closed.
CREATE INDEX "jobs_under_way" ON "jobs"("touched_at") WHERE status IN ('creating', 'enumerating', 'pending', 'running');
CREATE INDEX "paused_jobs" ON "jobs"("resume_at") WHERE status = 'paused';
CREATE INDEX "jobs_to_close" ON "jobs"("touched_at") WHERE status = 'cancelled' AND closed_at IS NULL;

-- What a runner may take, and what it has in hand.
CREATE INDEX "job_rows_to_do" ON "job_rows"("job_id", "is_cold", "position") WHERE status = 'pending';
CREATE INDEX "job_rows_in_hand" ON "job_rows"("job_id") WHERE status = 'processing';
