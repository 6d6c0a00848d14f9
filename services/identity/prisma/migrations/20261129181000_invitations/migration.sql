CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL CONSTRAINT invitations_role_known CHECK (role IN ('owner', 'member', 'billing')),
  daily_credit_cap integer CONSTRAINT invitations_cap_positive CHECK (daily_credit_cap > 0),
  invited_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  ended_at timestamptz(3)
);
CREATE INDEX invitations_account_id_idx ON invitations (account_id);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

ALTER TABLE audit_entries ADD COLUMN person_id uuid;
