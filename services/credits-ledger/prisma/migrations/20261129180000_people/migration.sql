ALTER TABLE key_owners ADD COLUMN person_id uuid, ADD COLUMN kind text;

ALTER TABLE requests ADD COLUMN person_id uuid;

CREATE TABLE person_caps (
  account_id       uuid   NOT NULL,
  person_id        uuid   NOT NULL,
  daily_credit_cap integer CHECK (daily_credit_cap > 0),
  version          bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
