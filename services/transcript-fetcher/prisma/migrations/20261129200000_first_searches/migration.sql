-- Null for accounts that have searched before.
ALTER TABLE searched_libraries ADD COLUMN first_searched_at timestamptz(3);
ALTER TABLE searched_libraries ALTER COLUMN first_searched_at SET DEFAULT now();
CREATE INDEX searched_lately ON searched_libraries (first_searched_at) WHERE first_searched_at IS NOT NULL;
