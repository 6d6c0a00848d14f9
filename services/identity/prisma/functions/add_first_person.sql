-- For a trigger: an account comes with its first person, also from a process of the release before.
CREATE OR REPLACE FUNCTION add_first_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people (id, account_id, email, role, joined_at) VALUES (NEW.id, NEW.id, NEW.email, 'owner', NEW.created_at);
  RETURN NULL;
END
$$;
