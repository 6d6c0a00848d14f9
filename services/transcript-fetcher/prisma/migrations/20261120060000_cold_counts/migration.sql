-- How many cold fetches were begun on each UTC day: by key and by new account exactly, `pool:free` and `pool:global` as
-- blocks that the instances have taken. Counted in the transaction that opens the operation, so that nothing is ever
-- admitted beyond a cap, however many instances and gateways there are, and nothing that forgets (Redis) is asked.
CREATE TABLE cold_counts (
  scope text NOT NULL,
  day   date NOT NULL,
  count integer NOT NULL CHECK (count >= 0),
  PRIMARY KEY (scope, day)
) WITH (fillfactor = 70);

-- What was begun today before this migration counts, too.
LOCK TABLE operations IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO cold_counts (scope, day, count)
SELECT scope, (created_at AT TIME ZONE 'UTC')::date, count(*)
FROM operations, LATERAL (VALUES ('key:' || key_id), ('pool:global')) AS counted (scope)
WHERE created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
GROUP BY 1, 2;

-- Counts one more where that is not beyond the cap; answers whether it did.
CREATE FUNCTION count_cold(p_scope text, p_day date, p_most integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cold_counts AS c (scope, day, count) SELECT p_scope, p_day, 1 WHERE p_most > 0
  ON CONFLICT (scope, day) DO UPDATE SET count = c.count + 1 WHERE c.count < p_most;
  RETURN FOUND;
END
$$;

-- Gives one place back in each scope, in the order in which they were taken, so that no two callers wait for each other.
CREATE FUNCTION uncount_cold(p_scopes text[], p_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_scope text;
BEGIN
  FOREACH v_scope IN ARRAY p_scopes LOOP
    UPDATE cold_counts SET count = count - 1 WHERE scope = v_scope AND day = p_day AND count > 0;
  END LOOP;
END
$$;

-- Takes up to p_wanted places of a pool at once; answers how many.
CREATE FUNCTION take_cold_block(p_scope text, p_day date, p_wanted integer, p_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_taken integer;
BEGIN
  INSERT INTO cold_counts (scope, day, count) VALUES (p_scope, p_day, 0) ON CONFLICT DO NOTHING;
  SELECT greatest(0, least(p_wanted, p_most - count)) INTO v_taken
  FROM cold_counts WHERE scope = p_scope AND day = p_day FOR UPDATE;
  UPDATE cold_counts SET count = count + v_taken WHERE scope = p_scope AND day = p_day AND v_taken > 0;
  RETURN v_taken;
END
$$;

-- Opens an operation and counts it in every scope, or changes nothing at all. Answers the account's open operation for the
-- same track where there is one: joining it counts nowhere. `refused` is the first scope that is full, or `pool` where
-- only a place of the shared pools (p_has_place) is missing.
CREATE FUNCTION open_operation(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_day date, p_scopes text[], p_most integer[], p_has_place boolean
) RETURNS TABLE (opened_id uuid, is_new boolean, refused text) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT o.id, false INTO opened_id, is_new FROM operations AS o
    WHERE o.account_id = p_account_id AND o.video_id = p_video_id AND o.language = p_language
      AND o.fallback = p_fallback AND o.state IN ('reserving', 'fetching');
    IF FOUND THEN RETURN NEXT; RETURN; END IF;

    -- Most refusals end here, without having written anything.
    SELECT given.scope INTO refused
    FROM unnest(p_scopes, p_most) WITH ORDINALITY AS given (scope, most, place)
    JOIN cold_counts AS c ON c.scope = given.scope AND c.day = p_day
    WHERE c.count >= given.most ORDER BY given.place LIMIT 1;
    IF NOT FOUND AND NOT p_has_place THEN refused := 'pool'; END IF;
    IF refused IS NOT NULL THEN RETURN NEXT; RETURN; END IF;

    BEGIN
      INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state)
      VALUES (p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, 'reserving')
      ON CONFLICT (account_id, video_id, language, fallback) WHERE state IN ('reserving', 'fetching') DO NOTHING;
      -- Somebody was faster: join that one.
      CONTINUE WHEN NOT FOUND;
      FOR place IN 1 .. cardinality(p_scopes) LOOP
        IF NOT count_cold(p_scopes[place], p_day, p_most[place]) THEN
          refused := p_scopes[place];
          RAISE EXCEPTION USING ERRCODE = 'CF001';
        END IF;
      END LOOP;
      opened_id := p_id;
      is_new := true;
    EXCEPTION WHEN SQLSTATE 'CF001' THEN
      -- The operation and what was counted before are undone.
      NULL;
    END;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$$;
