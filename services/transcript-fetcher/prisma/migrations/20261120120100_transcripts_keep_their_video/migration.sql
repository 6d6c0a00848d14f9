-- What was known of the video when a track was fetched: every format of it says the same for ever. NULL for tracks that a
-- release before this one saves meanwhile: those say what is known of the video now.
ALTER TABLE transcripts ADD COLUMN video jsonb;

UPDATE transcripts AS t SET video = jsonb_build_object(
  'title', v.title, 'channel_id', v.channel_id, 'channel_title', v.channel_title, 'published_at', v.published_at,
  'duration', v.duration
) FROM videos AS v WHERE v.id = t.video_id;
