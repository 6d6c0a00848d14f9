-- Opens an operation and counts it in every scope, or changes nothing at all. Answers the account's open operation for the
-- same track if there is one: joining it counts nowhere. `refused` is the first scope that is full, or `pool` if
-- only a place of the shared pools (p_has_place) is missing.
CREATE OR REPLACE FUNCTION open_operation(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_day date, p_scopes text[], p_most integer[], p_has_place boolean
) RETURNS TABLE (opened_id uuid, is_new boolean, refused text) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
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
