-- Saves the ends of fetches and of all rows that wait for them; skips fetches that have ended before. An end is
-- {n, fetch_id, transcript, file, cached_id, is_fallback, translation, selection, video, error, reported_to}: a new track, a cached one, or an
-- error, and what was learnt. The first copy of a track is kept, until a refresh finds others: then it is no longer the current one, and
-- keeps its id and its bytes. `reported_to` is the read whose own request waits at the caller and reports the charge. The settlement for the ledger, p_settlement, is saved with the rows.
-- This is the only place of the price rule: a row costs its price if a track was fetched for it, unless its request was waived or its
-- account has paid for the track, which a refresh pays for again; of several rows of an account for one track, one pays.
CREATE OR REPLACE FUNCTION end_rows(p_ends jsonb, p_settlement uuid)
RETURNS TABLE (ended jsonb, settlement jsonb)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_tracks uuid[];
  v_replaced jsonb;
  v_open uuid[];
  v_ended jsonb;
  v_settlement jsonb;
  v_received jsonb;
BEGIN
  WITH replaced AS (
    UPDATE transcripts AS t SET is_current = false
    FROM jsonb_to_recordset(p_ends) AS e (n integer, fetch_id uuid, transcript jsonb) CROSS JOIN LATERAL jsonb_populate_record(NULL::transcripts, e.transcript) AS new
    WHERE t.is_current AND t.video_id = new.video_id AND t.language_code = new.language_code AND t.kind = new.kind AND t.translated = new.translated
      AND t.object_key <> new.object_key AND EXISTS (SELECT FROM operations AS o WHERE o.fetch_id = e.fetch_id AND o.refresh IS NOT NULL OFFSET 0)
    RETURNING t.id, e.n
  )
  SELECT jsonb_agg(to_jsonb(replaced)) INTO v_replaced FROM replaced;
  -- One track may have been fetched twice, for two languages.
  WITH given AS (
    SELECT e.n, e.cached_id, t.* FROM jsonb_to_recordset(p_ends) AS e (n integer, cached_id uuid, transcript jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::transcripts, e.transcript) AS t
  ), saved AS (
    INSERT INTO transcripts AS kept (id, video_id, language_code, kind, translated, object_key, words, cached_at, video, strategy)
    SELECT DISTINCT ON (video_id, language_code, kind, translated)
      id, video_id, language_code, kind, translated, object_key, words, cached_at, video, strategy
    FROM given WHERE id IS NOT NULL ORDER BY video_id, language_code, kind, translated, n
    ON CONFLICT (video_id, language_code, kind, translated) WHERE is_current DO UPDATE SET video_id = excluded.video_id
    RETURNING kept.id, kept.video_id, kept.language_code, kept.kind, kept.translated
  )
  SELECT array_agg(coalesce(saved.id, given.cached_id) ORDER BY given.n) INTO v_tracks
  FROM given LEFT JOIN saved USING (video_id, language_code, kind, translated);

  UPDATE selections AS s SET transcript_id = v_tracks[r.n] FROM jsonb_to_recordset(v_replaced) AS r (id uuid, n integer)
  WHERE s.transcript_id = r.id;
  INSERT INTO rendered_files
  SELECT f.* FROM jsonb_to_recordset(p_ends) AS e (n integer, file jsonb)
  CROSS JOIN LATERAL jsonb_populate_record(NULL::rendered_files, e.file) AS f
  WHERE f.transcript_id = v_tracks[e.n] ORDER BY f.transcript_id
  ON CONFLICT (transcript_id, format) DO NOTHING;
  PERFORM save_selections((
    SELECT coalesce(jsonb_agg(selection), '[]') FROM (
      SELECT DISTINCT ON (selection -> 'video_id', selection -> 'language')
        selection || jsonb_build_object('transcript_id', v_tracks[n]) AS selection
      FROM jsonb_to_recordset(p_ends) AS e (n integer, selection jsonb) WHERE selection IS NOT NULL) AS once));
  PERFORM save_videos((
    SELECT coalesce(jsonb_agg(video), '[]') FROM (
      SELECT DISTINCT ON (video -> 'id') video FROM jsonb_to_recordset(p_ends) AS e (video jsonb) WHERE video IS NOT NULL) AS once));

  -- Checks the state after locking: together with the ids the planner would search all open rows.
  WITH given AS MATERIALIZED (
    SELECT f.id, f.state, e.error IS NOT NULL AS has_failed
    FROM jsonb_to_recordset(p_ends) AS e (fetch_id uuid, error jsonb) JOIN fetches AS f ON f.id = e.fetch_id
    ORDER BY f.video_id, f.language, f.fallback FOR UPDATE OF f
  ), ended AS (
    UPDATE fetches AS f SET state = CASE WHEN given.has_failed THEN 'failed' ELSE 'done' END, ended_at = now()
    FROM given WHERE f.id = given.id AND given.state = 'open' RETURNING f.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_open FROM ended;
  -- Lost cues that cannot be fetched now are not fetched again at once.
  IF p_ends @? '$[*].error ? (@ != null)' THEN
    UPDATE transcripts SET restore_failed_at = now() WHERE id IN (
      SELECT t.id FROM jsonb_to_recordset(p_ends) AS e (fetch_id uuid, error jsonb)
      JOIN fetches AS f ON f.id = e.fetch_id JOIN transcripts AS t ON t.video_id = f.video_id
      WHERE e.error IS NOT NULL AND f.id = ANY (v_open) FOR NO KEY UPDATE OF t SKIP LOCKED);
  END IF;

  -- An earlier writer of the track ended its rows in the same commit, which this statement has waited for.
  -- OFFSET 0: looks up each row by itself, instead of scanning all paid rows.
  WITH waiting AS MATERIALIZED (
    SELECT w.id, w.state, w.batch_id, w.priority, w.account_id, e.n, e.error, e.is_fallback, e.translation, e.reported_to, w.price, v_tracks[e.n] AS track_id,
      e.transcript IS NOT NULL AND w.price > 0 AND w.waived_at IS NULL AND (w.refresh IS NOT NULL OR NOT EXISTS (
        SELECT FROM operations AS o
        WHERE o.transcript_id = v_tracks[e.n] AND o.account_id = w.account_id AND o.charge > 0 OFFSET 0)) AS owes,
      (e.transcript ->> 'id')::uuid = v_tracks[e.n] AS is_first
    FROM jsonb_to_recordset(p_ends) AS e (n integer, fetch_id uuid, transcript jsonb, is_fallback boolean, translation text, error jsonb,
      reported_to uuid)
    JOIN operations AS w ON w.fetch_id = e.fetch_id
    WHERE e.fetch_id = ANY (v_open) ORDER BY w.id FOR UPDATE OF w
  ), priced AS (
    SELECT *, CASE WHEN owes AND row_number() OVER (PARTITION BY account_id, track_id ORDER BY owes DESC, id) = 1
      THEN price ELSE 0 END AS charge
    FROM waiting WHERE state = 'fetching'
  ), versioned AS MATERIALIZED (
    SELECT batch_id, next_version(batch_id) AS version FROM (SELECT DISTINCT batch_id FROM priced WHERE priority = 'jobs' ORDER BY batch_id) AS l
  ), ended AS (
    UPDATE operations AS o SET
      state = CASE WHEN p.error IS NULL THEN 'delivered' ELSE 'failed' END,
      transcript_id = CASE WHEN p.error IS NULL THEN p.track_id END, charge = p.charge, error = p.error,
      is_fallback = p.is_fallback, translation = p.translation,
      reported_to = CASE WHEN p.charge > 0 AND o.id = p.reported_to THEN p.reported_to::text END,
      change_version = coalesce(t.version, 0), ended_at = now()
    FROM priced AS p LEFT JOIN versioned AS t USING (batch_id) WHERE o.id = p.id
    RETURNING o.id, o.priority, o.batch_id, o.format, o.charge, o.transcript_id, o.change_version, o.reported_to, p.is_first, o.ref, o.item, o.account_id, o.key_id
  ), owed AS (
    INSERT INTO settlements (id, reservations, due_at)
    SELECT p_settlement, jsonb_agg(to_jsonb(r)), now() + interval '10 seconds' FROM (
      SELECT ref, min(priority) AS priority, min(batch_id::text) AS batch_id, min(account_id::text) AS account_id, min(key_id::text) AS key_id,
        coalesce(jsonb_agg(item) FILTER (WHERE charge > 0), '[]') AS charge,
        coalesce(jsonb_agg(item) FILTER (WHERE charge = 0), '[]') AS release
      FROM ended WHERE ref IS NOT NULL GROUP BY ref) AS r HAVING count(*) > 0
    RETURNING reservations
  )
  SELECT (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'priority', priority, 'batch_id', batch_id, 'format', format, 'charge', charge, 'transcript_id', transcript_id, 'version', change_version,
      'is_first', is_first, 'is_reported', reported_to IS NOT NULL)), '[]') FROM ended), (SELECT reservations FROM owed), (
    SELECT jsonb_agg(jsonb_build_object(
      'account_id', account_id, 'transcript_id', transcript_id, 'job_id', CASE WHEN priority = 'jobs' THEN batch_id END)) FROM ended)
  INTO v_ended, v_settlement, v_received;
  PERFORM save_received(v_received);
  -- A statement of its own, under the locks of the versions: it sees all ends before these, so the last of a batch knows that it is.
  RETURN QUERY
  WITH concerned AS MATERIALIZED (
    SELECT id, NOT EXISTS (SELECT FROM operations AS o WHERE o.batch_id = l.id AND o.priority = 'jobs' AND o.ended_at IS NULL OFFSET 0) AS is_over
    FROM (SELECT DISTINCT (e ->> 'batch_id')::uuid AS id FROM jsonb_array_elements(v_ended) AS e WHERE e ->> 'priority' = 'jobs') AS l
  )
  SELECT coalesce(jsonb_agg(e || jsonb_build_object('is_over', c.is_over)), '[]'), v_settlement
  FROM jsonb_array_elements(v_ended) AS e LEFT JOIN concerned AS c ON c.id = (e ->> 'batch_id')::uuid;
END
$$;

-- Saves selections, given as JSON with the names of the columns, each once. A failure never replaces a transcript that is served.
CREATE OR REPLACE FUNCTION save_selections(p_selections jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO selections
  SELECT (jsonb_populate_record(NULL::selections, to_jsonb(n) || CASE WHEN n.transcript_id IS NULL AND k.transcript_id IS NOT NULL
    AND k.translation <> 'refused' THEN to_jsonb(k) - 'expires_at' ELSE '{}' END)).*
  FROM jsonb_populate_recordset(NULL::selections, p_selections) AS n
  LEFT JOIN selections AS k ON k.video_id = n.video_id AND k.language = n.language ORDER BY n.video_id, n.language
  ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
    is_fallback = excluded.is_fallback, translation = excluded.translation, available = excluded.available,
    expires_at = excluded.expires_at
$$;

-- Saves what attempts learnt about videos, given as JSON with the names of the columns, each once. A null never replaces a value, and a
-- failure that is no fact about the video never hides an earlier delivery. `fetched_at` is the time of `status`.
CREATE OR REPLACE FUNCTION save_videos(p_videos jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO videos AS v SELECT * FROM jsonb_populate_recordset(NULL::videos, p_videos) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET
    title = coalesce(excluded.title, v.title),
    channel_id = coalesce(excluded.channel_id, v.channel_id),
    channel_title = coalesce(excluded.channel_title, v.channel_title),
    published_at = coalesce(excluded.published_at, v.published_at),
    duration = coalesce(excluded.duration, v.duration),
    description = coalesce(excluded.description, v.description),
    tags = coalesce(excluded.tags, v.tags),
    view_count = coalesce(excluded.view_count, v.view_count),
    thumbnail_url = coalesce(excluded.thumbnail_url, v.thumbnail_url),
    chapters = CASE WHEN excluded.description IS NULL THEN v.chapters ELSE excluded.chapters END,
    status = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN 'fetched' ELSE excluded.status END,
    error_class = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN NULL ELSE excluded.error_class END,
    fact = excluded.fact,
    fact_expires_at = excluded.fact_expires_at,
    fact_retry_at = excluded.fact_retry_at,
    caption_tracks = CASE WHEN excluded.caption_tracks = '[]' THEN v.caption_tracks ELSE excluded.caption_tracks END,
    original_language = CASE WHEN excluded.tracks_at IS NULL THEN v.original_language ELSE excluded.original_language END,
    translatable = coalesce(excluded.translatable, v.translatable),
    tracks_at = coalesce(excluded.tracks_at, v.tracks_at),
    selected_language = coalesce(excluded.selected_language, v.selected_language),
    selected_kind = coalesce(excluded.selected_kind, v.selected_kind),
    fetched_at = CASE
      WHEN v.status = 'fetched' AND excluded.fact IS NULL AND excluded.status <> 'fetched' THEN v.fetched_at
      ELSE coalesce(excluded.fetched_at, v.fetched_at)
    END
$$;

-- The current transcripts of a video.
CREATE OR REPLACE FUNCTION tracks_of(p_video_id text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'id', id, 'language_code', language_code, 'kind', kind, 'translated', translated, 'object_key', object_key)), '[]')
  FROM transcripts WHERE video_id = p_video_id::bpchar AND is_current
$$;

-- Gives a batch its next version, under a lock until the commit: so a reader of one version has missed no earlier one. It is the
-- database's time or one more, so versions grow across a restore.
CREATE OR REPLACE FUNCTION next_version(p_batch_id uuid) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO batch_versions AS l (batch_id, version) VALUES (p_batch_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (batch_id) DO UPDATE SET version = greatest(l.version + 1, excluded.version)
  RETURNING version
$$;
