-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "tier" TEXT NOT NULL DEFAULT 'free',
ADD COLUMN     "tier_changed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "replaced_by" UUID;

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "acting_key_id" UUID;

-- CreateIndex
CREATE INDEX "accounts_tier_changed_at_idx" ON "accounts"("tier_changed_at");

-- Rules that Prisma's schema cannot state
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_tier_known" CHECK ("tier" IN ('free', 'paid'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaced_ends" CHECK ("replaced_by" IS NULL OR "revoke_at" IS NOT NULL);
