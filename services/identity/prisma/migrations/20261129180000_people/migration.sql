CREATE TABLE people (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  email text NOT NULL,
  role text NOT NULL CONSTRAINT people_role_known CHECK (role IN ('owner', 'member', 'billing')),
  daily_credit_cap integer CONSTRAINT people_cap_positive CHECK (daily_credit_cap > 0),
  joined_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  signed_in_at timestamptz(3),
  version integer NOT NULL DEFAULT 0,
  changed_at timestamptz(3)
);
CREATE INDEX people_account_id_idx ON people (account_id);
CREATE INDEX people_email_idx ON people (email);
CREATE INDEX people_changed_at_idx ON people (changed_at);
CREATE UNIQUE INDEX people_once_in_an_account ON people (account_id, email) WHERE removed_at IS NULL;

-- Replaced by its text in prisma/functions.
CREATE FUNCTION add_first_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people (id, account_id, email, role, joined_at) VALUES (NEW.id, NEW.id, NEW.email, 'owner', NEW.created_at);
  RETURN NULL;
END
$$;
-- Contract: unused since 1.0, which neither reads nor writes people: it adds a row to a table of now.
CREATE TRIGGER accounts_first_person AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION add_first_person();

INSERT INTO people (id, account_id, email, role, joined_at) SELECT id, id, email, 'owner', created_at FROM accounts
ON CONFLICT DO NOTHING;

ALTER TABLE sessions ADD COLUMN person_id uuid;
ALTER TABLE api_keys ADD COLUMN person_id uuid;
