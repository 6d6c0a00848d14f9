-- concurrently
-- New accounts of a registered domain are counted at each sign-up.
CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_by_domain ON accounts (split_part(mailbox, '@', 2), created_at);
