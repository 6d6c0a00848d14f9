-- CreateTable
CREATE TABLE "listings" (
    "id" UUID NOT NULL,
    "playlist_id" TEXT NOT NULL,
    "contents" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "phase" TEXT NOT NULL,
    "next_token" TEXT,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "page_count" INTEGER NOT NULL DEFAULT 0,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "listings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "listing_pages" (
    "listing_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "first_position" INTEGER NOT NULL,
    "row_count" INTEGER NOT NULL,
    "rows" JSONB NOT NULL,

    CONSTRAINT "listing_pages_pkey" PRIMARY KEY ("listing_id","number")
);

-- CreateTable
CREATE TABLE "walks" (
    "key_id" UUID NOT NULL,
    "playlist_id" TEXT NOT NULL,
    "contents" TEXT NOT NULL,
    "listing_id" UUID NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "walks_pkey" PRIMARY KEY ("key_id","playlist_id","contents")
);

-- CreateTable
CREATE TABLE "channel_names" (
    "name" TEXT NOT NULL,
    "channel_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channel_names_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "known_videos" (
    "id" CHAR(11) NOT NULL,
    "is_available" BOOLEAN NOT NULL,
    "title" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "duration_seconds" INTEGER,
    "thumbnail_url" TEXT,
    "is_short" BOOLEAN,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_videos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "video_lists" (
    "key" TEXT NOT NULL,
    "video_ids" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "video_lists_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "day_counts" (
    "scope" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "day_counts_pkey" PRIMARY KEY ("scope","day")
);

-- CreateTable
CREATE TABLE "counted_inputs" (
    "scope" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "input" TEXT NOT NULL,

    CONSTRAINT "counted_inputs_pkey" PRIMARY KEY ("scope","day","input")
);

-- CreateTable
CREATE TABLE "searches" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "limit_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "settlement" TEXT,
    "results" JSONB,
    "next_token" TEXT,
    "continuation" TEXT,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "disowned_at" TIMESTAMPTZ(3),

    CONSTRAINT "searches_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "listings_by_source" ON "listings"("playlist_id", "contents", "created_at");

-- CreateIndex
CREATE INDEX "listings_by_age" ON "listings"("created_at");

-- CreateIndex
CREATE INDEX "walks_by_age" ON "walks"("begun_at");

-- CreateIndex
CREATE INDEX "channel_names_by_age" ON "channel_names"("expires_at");

-- CreateIndex
CREATE INDEX "known_videos_by_age" ON "known_videos"("checked_at");

-- CreateIndex
CREATE INDEX "video_lists_by_use" ON "video_lists"("used_at");

-- CreateIndex
CREATE INDEX "day_counts_by_day" ON "day_counts"("day");

-- CreateIndex
CREATE INDEX "counted_inputs_by_day" ON "counted_inputs"("day");

-- CreateIndex
CREATE UNIQUE INDEX "searches_continuation_key" ON "searches"("continuation");

-- CreateIndex
CREATE INDEX "searches_by_question" ON "searches"("key_id", "fingerprint", "ended_at");

-- CreateIndex
CREATE INDEX "searches_by_age" ON "searches"("created_at");

-- AddForeignKey
ALTER TABLE "listing_pages" ADD CONSTRAINT "listing_pages_listing_id_fkey" FOREIGN KEY ("listing_id") REFERENCES "listings"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Whoever asks for a listing that is being made joins it.
CREATE UNIQUE INDEX "one_open_listing" ON "listings"("playlist_id", "contents") WHERE state = 'open';

-- The same question of one key is asked once at a time.
CREATE UNIQUE INDEX "one_open_search" ON "searches"("key_id", "fingerprint") WHERE state IN ('open', 'fetched');

-- For the sweepers: what somebody works on, and what nobody has given back.
CREATE INDEX "searches_under_way" ON "searches"("created_at") WHERE state IN ('open', 'fetched');
CREATE INDEX "searches_to_give_back" ON "searches"("created_at") WHERE state = 'failed' AND settlement IS NULL;
