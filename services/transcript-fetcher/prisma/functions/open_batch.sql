-- Opens an operation for each row of a batch, given as JSON, and counts those in every scope; as many as every scope and the
-- permits of the shared pools have room for, in the order of the rows. They hold no credit, and are attached to the open
-- fetches of their tracks, or to new ones; `chunk` of these at a time get a task, in the partition of the account. Answers every row:
-- opened_id is its own id, or that of the account's open operation for the same track, which counts nowhere; or `refused` says
-- the scope that has no room, `pool` where permits were missing. A row with neither has to be looked at again; so has one of
-- whose track nothing was known when it was looked at (`seen` is false) and the cache knows something by now.
-- Rows of operations, counts and fetches are taken in this order, as wherever operations are opened; those of one table by video.
CREATE OR REPLACE FUNCTION open_batch(p_batch jsonb)
RETURNS TABLE (row_id uuid, opened_id uuid, is_new boolean, refused text, tasks integer) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_batch operations := jsonb_populate_record(NULL::operations, p_batch);
  v_day date := p_batch ->> 'day';
  v_headers jsonb := p_batch ->> 'headers';
  v_new uuid[];
  v_known bpchar[];
  v_undone uuid[];
  v_begun uuid[];
  v_room integer;
  v_left integer;
  v_scope record;
BEGIN
  -- Operations come before the fetches that they name.
  SET CONSTRAINTS operations_fetch_id_fkey DEFERRED;
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(p_batch -> 'rows') AS given (turn integer, id uuid, video_id char(11), fetch_id uuid)
  ), opened AS (
    INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, price, state, fetch_id, settlement)
    SELECT first.id, v_batch.account_id, v_batch.key_id, first.video_id, v_batch.language, v_batch.fallback, v_batch.format,
      v_batch.price, 'fetching', first.fetch_id, 'by_caller'
    FROM (SELECT DISTINCT ON (video_id) * FROM given ORDER BY video_id, turn) AS first ORDER BY first.video_id
    ON CONFLICT (account_id, video_id, language, fallback) WHERE state IN ('reserving', 'fetching') DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(given.id ORDER BY given.turn), '{}') INTO v_new FROM opened JOIN given USING (id);

  v_room := cardinality(v_new);
  IF v_room > (p_batch ->> 'permits')::integer THEN
    v_room := p_batch ->> 'permits';
    refused := 'pool';
  END IF;
  FOR v_scope IN
    SELECT scope ->> 'name' AS name, (scope ->> 'most')::integer AS most
    FROM jsonb_array_elements(p_batch -> 'scopes') WITH ORDINALITY AS given (scope, turn) WHERE v_room > 0 ORDER BY turn
  LOOP
    INSERT INTO cold_counts (scope, day, count) VALUES (v_scope.name, v_day, 0) ON CONFLICT DO NOTHING;
    SELECT greatest(0, v_scope.most - count) INTO v_left FROM cold_counts
    WHERE scope = v_scope.name AND day = v_day FOR UPDATE;
    IF v_left < v_room THEN
      v_room := v_left;
      refused := v_scope.name;
    END IF;
  END LOOP;
  IF v_room > 0 THEN
    UPDATE cold_counts SET count = count + v_room
    WHERE day = v_day AND scope IN (SELECT name FROM jsonb_to_recordset(p_batch -> 'scopes') AS given (name text));
  END IF;
  IF v_room < cardinality(v_new) THEN
    DELETE FROM operations WHERE id = ANY (v_new[v_room + 1 :]);
    v_new := v_new[: v_room];
  END IF;

  WITH given AS (
    SELECT * FROM jsonb_to_recordset(p_batch -> 'rows') AS given (id uuid, video_id char(11), fetch_id uuid)
    WHERE id = ANY (v_new)
  ), attached AS (
    INSERT INTO fetches (id, video_id, language, fallback, is_background)
    SELECT fetch_id, video_id, v_batch.language, v_batch.fallback, true FROM given ORDER BY video_id
    ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
    RETURNING id, video_id
  )
  UPDATE operations AS o SET fetch_id = attached.id
  FROM given JOIN attached USING (video_id) WHERE o.id = given.id AND attached.id <> given.fetch_id;

  -- Whoever ended the fetch of a track after the look has committed by now: the rows of fetches have waited for that.
  -- OFFSET 0: each row is looked for by itself, instead of among all that the cache knows of the language.
  SELECT coalesce(array_agg(given.video_id), '{}') INTO v_known
  FROM jsonb_to_recordset(p_batch -> 'rows') AS given (id uuid, video_id char(11), fetch_id uuid, seen boolean)
  JOIN operations AS o ON o.id = given.id AND o.fetch_id = given.fetch_id
  WHERE given.id = ANY (v_new) AND NOT given.seen AND (
    EXISTS (SELECT FROM selections AS s WHERE s.video_id = given.video_id AND s.language = v_batch.language OFFSET 0)
    OR EXISTS (SELECT FROM transcripts AS t WHERE t.video_id = given.video_id AND t.language_code = v_batch.language
      AND t.kind = 'manual' AND NOT t.translated OFFSET 0)
    OR EXISTS (SELECT FROM videos AS v WHERE v.id = given.video_id AND v.fact IS NOT NULL OFFSET 0));
  IF cardinality(v_known) > 0 THEN
    WITH undone AS (
      DELETE FROM operations WHERE id = ANY (v_new) AND video_id = ANY (v_known) RETURNING id, fetch_id
    )
    SELECT array_agg(id), array_agg(fetch_id) INTO v_undone, v_begun FROM undone;
    DELETE FROM fetches WHERE id = ANY (v_begun);
    UPDATE cold_counts SET count = count - cardinality(v_undone)
    WHERE day = v_day AND scope IN (SELECT name FROM jsonb_to_recordset(p_batch -> 'scopes') AS given (name text));
    v_new := ARRAY(SELECT id FROM unnest(v_new) AS id WHERE id <> ALL (v_undone));
  END IF;

  WITH chunks AS (
    SELECT jsonb_agg(jsonb_build_object('fetchId', fetch_id, 'videoId', video_id) ORDER BY turn) AS fetches
    FROM (
      SELECT given.*, row_number() OVER (ORDER BY turn) - 1 AS place
      FROM jsonb_to_recordset(p_batch -> 'rows') AS given (turn integer, id uuid, video_id char(11), fetch_id uuid)
      JOIN operations AS o ON o.id = given.id AND o.fetch_id = given.fetch_id
      WHERE given.id = ANY (v_new)) AS begun
    GROUP BY place / (p_batch ->> 'chunk')::integer
  )
  SELECT count(messaging.enqueue_task(
    'fetch-tracks',
    jsonb_build_object('accountId', v_batch.account_id, 'language', v_batch.language, 'fallback', v_batch.fallback,
      'format', v_batch.format, 'fetches', fetches),
    v_headers, p_partition => v_batch.account_id::text, p_max_in_flight => (p_batch ->> 'max_in_flight')::integer))
  INTO tasks FROM chunks;

  RETURN QUERY
    SELECT given.id, o.id, given.id = ANY (v_new),
      CASE WHEN o.id IS NULL AND given.video_id <> ALL (v_known) THEN refused END, tasks
    FROM jsonb_to_recordset(p_batch -> 'rows') AS given (id uuid, video_id char(11))
    LEFT JOIN operations AS o ON o.account_id = v_batch.account_id AND o.video_id = given.video_id
      AND o.language = v_batch.language AND o.fallback = v_batch.fallback AND o.state IN ('reserving', 'fetching');
END
$$;
