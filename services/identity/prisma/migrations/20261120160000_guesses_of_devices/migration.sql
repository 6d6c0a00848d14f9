-- AlterTable
ALTER TABLE "sign_in_addresses" ADD COLUMN     "device_guesses" INTEGER NOT NULL DEFAULT 0;
