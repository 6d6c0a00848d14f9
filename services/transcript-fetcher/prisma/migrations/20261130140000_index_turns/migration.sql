-- The account in whose turn it is indexed; of none, the last account.
ALTER TABLE unindexed_transcripts ADD COLUMN account_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff';
