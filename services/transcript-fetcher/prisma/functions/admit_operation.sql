-- Opens an operation, given as JSON with the names of the columns, and counts it in every scope; or changes nothing at all. Answers
-- the account's open operation for the same track if there is one: joining it counts nowhere. `refused` is the first scope that is
-- full; `pool` if only a permit of the shared pools (p_has_permit) is missing; or, with p_unless_known, `known` if the cache may have
-- an answer for the track.
CREATE OR REPLACE FUNCTION admit_operation(
  p_operation jsonb, p_day date, p_scopes text[], p_most integer[], p_has_permit boolean, p_unless_known boolean
) RETURNS TABLE (opened_id uuid, is_new boolean, refused text) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_new operations := jsonb_populate_record(NULL::operations, p_operation);
BEGIN
  IF p_unless_known AND (
    EXISTS (SELECT FROM selections AS s WHERE s.video_id = v_new.video_id AND s.language = v_new.language)
    OR EXISTS (SELECT FROM transcripts AS t WHERE t.video_id = v_new.video_id AND t.language_code = v_new.language)
    OR EXISTS (SELECT FROM videos AS v WHERE v.id = v_new.video_id AND v.fact IS NOT NULL)
  ) THEN
    refused := 'known';
    RETURN NEXT;
    RETURN;
  END IF;
  LOOP
    -- Looked at before the open operation: who has filled a scope has committed with it what it opened, which is joined.
    SELECT given.scope INTO refused
    FROM unnest(p_scopes, p_most) WITH ORDINALITY AS given (scope, most, turn)
    JOIN cold_counts AS c ON c.scope = given.scope AND c.day = p_day
    WHERE c.count >= given.most ORDER BY given.turn LIMIT 1;
    IF NOT FOUND AND NOT p_has_permit THEN refused := 'pool'; END IF;

    SELECT o.id, false INTO opened_id, is_new FROM operations AS o
    WHERE o.account_id = v_new.account_id AND o.video_id = v_new.video_id AND o.language = v_new.language
      AND o.fallback = v_new.fallback AND o.state IN ('reserving', 'fetching');
    IF FOUND THEN refused := NULL; RETURN NEXT; RETURN; END IF;
    -- Most refusals end here, without having written anything.
    IF refused IS NOT NULL THEN RETURN NEXT; RETURN; END IF;

    BEGIN
      INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, price, state)
      VALUES (v_new.id, v_new.account_id, v_new.key_id, v_new.video_id, v_new.language, v_new.fallback, v_new.format,
        v_new.price, 'reserving')
      ON CONFLICT (account_id, video_id, language, fallback) WHERE state IN ('reserving', 'fetching') DO NOTHING;
      -- Somebody was faster: join that one.
      CONTINUE WHEN NOT FOUND;
      FOR turn IN 1 .. cardinality(p_scopes) LOOP
        IF NOT count_cold(p_scopes[turn], p_day, p_most[turn]) THEN
          refused := p_scopes[turn];
          RAISE EXCEPTION USING ERRCODE = 'CF001';
        END IF;
      END LOOP;
      opened_id := v_new.id;
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
