-- CreateTable
CREATE TABLE "proxy_spending" (
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "proxy_spending_pkey" PRIMARY KEY ("day")
);

-- What was read today was counted in KiB.
INSERT INTO "proxy_spending" ("day", "bytes") SELECT "day", "count"::bigint * 1024 FROM "day_counts" WHERE "scope" = 'proxy_kib';
DELETE FROM "day_counts" WHERE "scope" = 'proxy_kib';
