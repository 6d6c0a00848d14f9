-- Saves the ends of fetches and of all rows that wait for them; skips fetches that have ended before. An end is
-- {n, fetch_id, transcript, file, cached_id, is_fallback, translation, selection, video, error, reported_to}: a new track, a cached one, or an
-- error, and what was learnt. The first copy of a track is kept, until a refresh finds others: then it is no longer the current one, and
-- keeps its id and its bytes. `reported_to` is the read whose own request waits at the caller and reports the charge. The settlement for the
-- ledger, p_settlement, is saved with the rows.
CREATE OR REPLACE FUNCTION end_rows(p_ends jsonb, p_settlement uuid)
RETURNS TABLE (ended jsonb, settlement jsonb)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_tracks uuid[];
  v_open uuid[];
  v_ended jsonb;
  v_settlement jsonb;
  v_received jsonb;
BEGIN
  v_tracks := save_tracks(p_ends);
  PERFORM save_learnt(p_ends, v_tracks);
  v_open := end_fetches(p_ends);
  SELECT w.ended, w.settlement, w.received INTO v_ended, v_settlement, v_received
  FROM end_waiting_rows(p_ends, v_tracks, v_open, p_settlement) AS w;
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

-- Saves the new tracks of ends. Returns the track of each end by its place, which is the first copy or the cached one.
CREATE OR REPLACE FUNCTION save_tracks(p_ends jsonb) RETURNS uuid[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_tracks uuid[];
  v_replaced jsonb;
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
  RETURN v_tracks;
END
$$;

-- Ends the fetches that are open. Returns their ids.
CREATE OR REPLACE FUNCTION end_fetches(p_ends jsonb) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_open uuid[];
BEGIN
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
  RETURN v_open;
END
$$;

-- Ends the rows that wait for these fetches, and saves what the ledger is to settle. `received` is what accounts have received by them.
-- This is the only place of the price rule: a row costs its price if a track was fetched for it, unless its request was waived or its
-- account has paid for the track, which a refresh pays for again; of several rows of an account for one track, one pays.
CREATE OR REPLACE FUNCTION end_waiting_rows(
  p_ends jsonb, p_tracks uuid[], p_open uuid[], p_settlement uuid, OUT ended jsonb, OUT settlement jsonb, OUT received jsonb
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- An earlier writer of the track ended its rows in the same commit, which this statement has waited for.
  -- OFFSET 0: looks up each row by itself, instead of scanning all paid rows.
  WITH waiting AS MATERIALIZED (
    SELECT w.id, w.state, w.batch_id, w.priority, w.account_id, e.n, e.error, e.is_fallback, e.translation, e.reported_to, w.price, p_tracks[e.n] AS track_id,
      e.transcript IS NOT NULL AND w.price > 0 AND w.waived_at IS NULL AND (w.refresh IS NOT NULL OR NOT EXISTS (
        SELECT FROM operations AS o
        WHERE o.transcript_id = p_tracks[e.n] AND o.account_id = w.account_id AND o.charge > 0 OFFSET 0)) AS owes,
      (e.transcript ->> 'id')::uuid = p_tracks[e.n] AS is_first
    FROM jsonb_to_recordset(p_ends) AS e (n integer, fetch_id uuid, transcript jsonb, is_fallback boolean, translation text, error jsonb,
      reported_to uuid)
    JOIN operations AS w ON w.fetch_id = e.fetch_id
    WHERE e.fetch_id = ANY (p_open) ORDER BY w.id FOR UPDATE OF w
  ), priced AS (
    SELECT *, CASE WHEN owes AND row_number() OVER (PARTITION BY account_id, track_id ORDER BY owes DESC, id) = 1
      THEN price ELSE 0 END AS charge
    FROM waiting WHERE state = 'fetching'
  ), versioned AS MATERIALIZED (
    SELECT batch_id, next_version(batch_id) AS version FROM (SELECT DISTINCT batch_id FROM priced WHERE priority = 'jobs' ORDER BY batch_id) AS l
  ), updated AS (
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
      FROM updated WHERE ref IS NOT NULL GROUP BY ref) AS r HAVING count(*) > 0
    RETURNING reservations
  )
  SELECT (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'priority', priority, 'batch_id', batch_id, 'format', format, 'charge', charge, 'transcript_id', transcript_id, 'version', change_version,
      'is_first', is_first, 'is_reported', reported_to IS NOT NULL)), '[]') FROM updated), (SELECT reservations FROM owed), (
    SELECT jsonb_agg(jsonb_build_object(
      'account_id', account_id, 'transcript_id', transcript_id, 'job_id', CASE WHEN priority = 'jobs' THEN batch_id END)) FROM updated)
  INTO ended, settlement, received;
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
