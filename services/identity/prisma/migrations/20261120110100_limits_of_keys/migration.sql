-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "limit_id" UUID;
