-- CreateTable
CREATE TABLE "archives" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "job_version" INTEGER NOT NULL,
    "formats" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'building',
    "parts" JSONB NOT NULL DEFAULT '[]',
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "archives_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "archive_objects" (
    "key" TEXT NOT NULL,
    "archive_id" UUID NOT NULL,
    "delete_after" TIMESTAMPTZ(3),

    CONSTRAINT "archive_objects_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "archives_by_job" ON "archives"("job_id", "job_version", "formats", "created_at");

-- CreateIndex
CREATE INDEX "archives_by_expiry" ON "archives"("expires_at");

-- CreateIndex
CREATE INDEX "archive_objects_by_archive" ON "archive_objects"("archive_id");

-- CreateIndex
CREATE INDEX "archive_objects_to_delete" ON "archive_objects"("delete_after");

-- AddForeignKey
ALTER TABLE "archive_objects" ADD CONSTRAINT "archive_objects_archive_id_fkey" FOREIGN KEY ("archive_id") REFERENCES "archives"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Whoever asks while it is being built waits for that build.
CREATE UNIQUE INDEX "one_build_at_a_time" ON "archives"("job_id", "job_version", "formats") WHERE state = 'building';
