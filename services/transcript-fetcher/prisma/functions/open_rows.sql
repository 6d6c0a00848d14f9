-- Opens rows of one request: a read, or up to 500 rows of a job. Returns an existing row (by id, or for a read the account's open read of
-- the track) as it is. A known row of a job ends at once; a reader queries the cache instead. Cold rows are counted for the day, in their
-- order as far as every scope has room, and opened for the request's reservation: they begin when their credits are held. Rows of price 0, which
-- were paid for or are lost, are not counted and need no credit.
--
-- Rows of a job that is not accepted yet are not queued until they are opened again as accepted.
-- The request: {priority, batch_id, is_accepted, account_id, key_id, language, fallback, format, refresh, reservation, day, scopes, errors,
-- rows: [{id, position, video_id, price, is_lost}]}. Returns for each row: `state` of its operation, or `known`, or `refused`; `reservation`,
-- whose credits are not held yet. It may be the reservation of an earlier unfinished call; then rows of that call are returned too.
CREATE OR REPLACE FUNCTION open_rows(p_request jsonb)
RETURNS TABLE (row_id uuid, state text, operation_id uuid, reservation uuid, item smallint, full_scope text) LANGUAGE plpgsql
-- A connection plans each statement once, perhaps while the tables are empty: these plans stay right when they grow, before an ANALYZE.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_head operations := jsonb_populate_record(NULL::operations, p_request - 'rows');
  v_reservation uuid := p_request ->> 'reservation';
  v_day date := p_request ->> 'day';
  v_rows opened_row[];
  v_batch batches;
  v_version bigint := 0;
  v_cold integer;
  v_room integer;
  v_inserted integer;
  v_full text;
BEGIN
  IF v_head.priority = 'jobs' THEN
    INSERT INTO batches AS l (id, priority, account_id, waits)
    VALUES (v_head.batch_id, 'jobs', v_head.account_id, coalesce(p_request -> 'is_accepted' = 'false', false))
    ON CONFLICT (id) DO UPDATE SET state = CASE l.state WHEN 'stopped' THEN 'stopped' ELSE 'open' END, waits = l.waits AND excluded.waits
    RETURNING * INTO v_batch;
    IF v_batch.state = 'stopped' OR v_batch.opening IS NOT NULL THEN
      RETURN QUERY
        SELECT g.id, coalesce(o.state, 'refused'), o.id, CASE WHEN o.state = 'ready' AND o.ref = v_batch.opening THEN o.ref END,
          o.item, CASE WHEN v_batch.state = 'stopped' THEN 'stopped' ELSE 'opening' END
        FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid) LEFT JOIN operations AS o ON o.id = g.id
        UNION ALL
        -- Rows of the unfinished call: the caller that finds them finishes their reservation.
        SELECT o.id, o.state, o.id, o.ref, o.item, NULL FROM operations AS o
        WHERE o.batch_id = v_batch.id AND o.state = 'ready' AND o.ref = v_batch.opening
          AND NOT EXISTS (SELECT FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid) WHERE g.id = o.id);
      RETURN;
    END IF;
  END IF;

  -- Existing rows, and the cache's answers without what only a reader needs: details of 500 videos take half a second to copy.
  SELECT array_agg((
    g.id, g.position, g.video_id, CASE WHEN g.is_lost THEN 0 ELSE coalesce(g.price, 1) END,
    coalesce(o.state, CASE WHEN g.is_lost OR v_head.refresh IS NOT NULL OR k.outcome IS NULL THEN 'cold' ELSE 'known' END), o.id,
    CASE WHEN v_head.priority = 'jobs' AND o.id IS NULL THEN (k.outcome, NULL, NULL, NULL, NULL, NULL, k.fact, k.fact_expires_at, k.fact_retry_at,
      k.is_fallback, k.translation, k.available, k.expires_at, k.transcript_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL)::known END)::opened_row ORDER BY g.position)
  INTO v_rows
  FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid, position smallint, video_id char(11), price integer, is_lost boolean)
  LEFT JOIN LATERAL (
    SELECT e.id, e.state FROM operations AS e WHERE e.id = g.id
    UNION ALL
    SELECT e.id, e.state FROM operations AS e
    WHERE v_head.priority = 'reads' AND e.priority = 'reads' AND e.state IN ('opened', 'ready', 'fetching')
      AND e.account_id = v_head.account_id AND e.video_id = g.video_id AND e.language = v_head.language AND e.fallback = v_head.fallback
    UNION ALL
    SELECT e.id, e.state FROM operations AS e
    WHERE e.refresh = v_head.refresh AND e.account_id = v_head.account_id AND e.key_id = v_head.key_id AND e.state = 'delivered'
      AND e.video_id = g.video_id AND e.language = v_head.language AND e.fallback = v_head.fallback
    LIMIT 1) AS o ON true
  CROSS JOIN LATERAL look(g.video_id, v_head.language, v_head.fallback, v_head.format) AS k;

  SELECT count(*) INTO v_cold FROM unnest(v_rows) AS r WHERE r.state = 'cold' AND r.price > 0;
  SELECT c.counted, c.full_scope INTO v_room, v_full FROM count_cold(p_request -> 'scopes', v_day, v_cold) AS c;

  IF v_head.priority = 'jobs' THEN
    IF v_room > 0 THEN
      INSERT INTO reservations (ref, batch_id, day, scopes)
      SELECT v_reservation, v_head.batch_id, v_day, array_agg(scope ->> 'name' ORDER BY n)
      FROM jsonb_array_elements(p_request -> 'scopes') WITH ORDINALITY AS given (scope, n);
      UPDATE batches SET opening = v_reservation WHERE id = v_head.batch_id;
    END IF;
    v_version := next_version(v_head.batch_id);
  END IF;

  WITH given AS (
    SELECT r.*, r.state = 'cold' AND r.price > 0 AS is_cold,
      count(*) FILTER (WHERE r.state = 'cold' AND r.price > 0) OVER (ORDER BY r.position) AS nth
    FROM unnest(v_rows) AS r
  ), inserted AS (
    INSERT INTO operations (id, priority, batch_id, position, account_id, key_id, video_id, language, fallback, format, refresh, state, price, ref,
      item, transcript_id, is_fallback, translation, error, change_version, ended_at)
    SELECT g.id, v_head.priority, v_head.batch_id, g.position, v_head.account_id, v_head.key_id, g.video_id, v_head.language,
      v_head.fallback, v_head.format, v_head.refresh,
      CASE WHEN g.state = 'known' THEN CASE (g.known).outcome WHEN 'delivered' THEN 'delivered' ELSE 'failed' END
        WHEN v_head.priority = 'jobs' THEN 'ready' ELSE 'opened' END,
      g.price, CASE WHEN g.is_cold THEN v_reservation END, CASE WHEN g.is_cold THEN g.position + 1 END,
      CASE WHEN g.state = 'known' AND (g.known).outcome = 'delivered' THEN (g.known).transcript_id END,
      CASE WHEN g.state = 'known' THEN (g.known).is_fallback END, CASE WHEN g.state = 'known' THEN (g.known).translation END,
      CASE WHEN g.state = 'known' AND (g.known).outcome <> 'delivered' THEN known_error(g.known, p_request -> 'errors') END,
      CASE WHEN g.state = 'known' THEN v_version ELSE 0 END, CASE WHEN g.state = 'known' THEN now() END
    FROM given AS g
    WHERE g.operation_id IS NULL AND (NOT g.is_cold OR g.nth <= v_room) AND (g.state = 'cold' OR v_head.priority = 'jobs')
    ORDER BY g.video_id ON CONFLICT DO NOTHING RETURNING ref
  )
  SELECT count(ref) INTO v_inserted FROM inserted;
  -- Another call opened one of them meanwhile: roll back and retry.
  IF v_inserted < v_room THEN RAISE EXCEPTION 'opened meanwhile' USING ERRCODE = '40001'; END IF;
  -- Of known rows; a row that another call has opened is received by that call.
  IF v_head.priority = 'jobs' THEN
    PERFORM save_received((
      SELECT jsonb_agg(jsonb_build_object(
        'account_id', v_head.account_id, 'transcript_id', (r.known).transcript_id, 'job_id', v_head.batch_id))
      FROM unnest(v_rows) AS r WHERE r.operation_id IS NULL AND r.state = 'known' AND (r.known).outcome = 'delivered'));
  END IF;

  RETURN QUERY
    SELECT r.id, CASE WHEN r.operation_id IS NULL AND r.state = 'cold' AND o.id IS NULL THEN 'refused' ELSE coalesce(o.state, r.state) END,
      coalesce(r.operation_id, o.id), CASE WHEN r.operation_id IS NULL THEN o.ref END, o.item, v_full
    FROM unnest(v_rows) AS r
    LEFT JOIN operations AS o ON o.id = coalesce(r.operation_id, r.id) ORDER BY r.position;
END
$$;

-- The only place that decides whether a track is cold. A delivery comes before a fact about the video, and is served after its end, unless its
-- translation was refused: the platform is asked beside that. The first choice of a language also serves the first request in this language.
-- `orig` and a list of languages, with commas between them, are answered by their own selection, or by that of one of their languages.
CREATE OR REPLACE FUNCTION look(p_video_id bpchar, p_language text, p_fallback boolean, p_format text) RETURNS SETOF known
LANGUAGE sql STABLE AS $$
  SELECT CASE
      WHEN c.is_current AND s.is_fallback AND NOT p_fallback THEN 'strict'
      WHEN t.id IS NOT NULL AND (s.video_id IS NULL OR c.is_current OR s.translation <> 'refused' AND (p_fallback OR NOT s.is_fallback))
        THEN 'delivered'
      WHEN v.fact IS NOT NULL AND (v.fact_expires_at IS NULL OR v.fact_expires_at > now()) THEN 'fact' END,
    v.title, v.channel_id, v.channel_title, v.published_at, v.duration, v.fact, v.fact_expires_at, v.fact_retry_at,
    coalesce(s.is_fallback, false), coalesce(s.translation, 'not_requested'), s.available, s.expires_at,
    t.id, t.language_code, t.kind, t.object_key, t.cached_at, t.video, t.strategy, r.object_key, r.bytes, r.sha256, r.crc32
  FROM (SELECT) AS one
  LEFT JOIN videos AS v ON v.id = p_video_id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN p_language = 'orig' OR strpos(p_language, ',') > 0 THEN listed_language(p_video_id, p_language)
      ELSE p_language END AS language) AS l
  LEFT JOIN selections AS s ON s.video_id = p_video_id AND s.language = l.language
  CROSS JOIN LATERAL (SELECT s.video_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AS is_current) AS c
  LEFT JOIN transcripts AS t ON t.id = CASE
    WHEN s.video_id IS NOT NULL THEN s.transcript_id
    ELSE first_choice(p_video_id, l.language) END
  LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = p_format
$$;

-- The cached track that every request in exactly this language gets: a manual one, else the recognised one of the spoken language, if the
-- video has no manual one: of a young video that is known for a day.
CREATE OR REPLACE FUNCTION first_choice(p_video_id bpchar, p_language text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT t.id FROM transcripts AS t LEFT JOIN videos AS v ON v.id = t.video_id
  WHERE t.video_id = p_video_id AND t.language_code = p_language AND NOT t.translated AND t.is_current AND (t.kind = 'manual'
    OR v.original_language = p_language
      AND (v.tracks_at > now() - interval '1 day' OR v.published_at < (now() - interval '30 days')::date::text)
      AND NOT v.caption_tracks @> jsonb_build_array(jsonb_build_object('language_code', p_language, 'kind', 'manual')))
  ORDER BY t.kind DESC LIMIT 1
$$;

-- The language whose selection answers a list: its own, else the first that has a native track, if those before it are known to have none.
-- `orig` without a selection is the spoken language, if that is known.
CREATE OR REPLACE FUNCTION listed_language(p_video_id bpchar, p_list text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT language FROM selections WHERE video_id = p_video_id AND language = p_list),
    (SELECT CASE WHEN is_native THEN language END FROM (
      SELECT w.language, n, CASE
          WHEN s.video_id IS NOT NULL THEN s.translation = 'not_requested' AND NOT s.is_fallback AND s.transcript_id IS NOT NULL
          ELSE first_choice(p_video_id, w.language) IS NOT NULL END AS is_native,
        s.video_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AS is_known
      FROM (SELECT coalesce(CASE language WHEN 'orig' THEN (SELECT v.original_language FROM videos AS v WHERE v.id = p_video_id
          AND NOT EXISTS (SELECT FROM selections WHERE video_id = v.id AND language = 'orig')) END, language) AS language, n
        FROM unnest(string_to_array(p_list, ',')) WITH ORDINALITY AS given (language, n)) AS w
      LEFT JOIN selections AS s ON s.video_id = p_video_id AND s.language = w.language) AS listed
    WHERE is_native OR NOT is_known ORDER BY n LIMIT 1),
    p_list)
$$;

-- The error of a known but unavailable track; `strict` errors are made from templates by their translation.
CREATE OR REPLACE FUNCTION known_error(p_known known, p_errors jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE p_known.outcome
    WHEN 'fact' THEN p_known.fact || CASE WHEN p_known.fact ? 'retryAfterSeconds' AND waits_until IS NOT NULL
      THEN jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch FROM waits_until - now())))::integer) ELSE '{}' END
    WHEN 'strict' THEN CASE p_known.translation
      WHEN 'refused' THEN p_errors -> 'refused' || jsonb_build_object(
        'retryAfterSeconds', greatest(1, ceil(extract(epoch FROM coalesce(p_known.expires_at, now()) - now())))::integer)
      ELSE p_errors -> 'unavailable' || jsonb_build_object(
        'extras', jsonb_build_object('available_languages', to_jsonb(p_known.available))) END
  END
  FROM (SELECT CASE WHEN p_known.fact_retry_at > now() THEN p_known.fact_retry_at ELSE p_known.fact_expires_at END AS waits_until) AS w
$$;
