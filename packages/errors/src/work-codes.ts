import { defineCodes, invalidField, transient, unknownId } from './error-classes.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;

/** Errors of jobs, their files and archives, and of monitors. */
export const workCodes = {
  ...defineCodes(
    'InvalidInput',
    {
      invalid_status: invalidField(
        'status',
        'status is one of creating, enumerating, pending, running, paused, completed, failed, cancelled for jobs, or of pending, processing, cached, fetched, error, cancelled for their videos.',
      ),
      job_size_cap: {
        message: 'This job is larger than the tier allows.',
        remedy: 'Send newest with the number of videos that the tier allows, or split the job.',
      },
      invalid_job_id: invalidField('the job id', 'A job id is a uuid.'),
      job_not_found: unknownId('job'),
      job_video_not_found: {
        status: NOT_FOUND,
        message: 'The job has no such video.',
        remedy: 'List the videos of the job; one that failed has no file.',
      },
      job_cancelled: {
        status: CONFLICT,
        message: 'This job is cancelled.',
        remedy: 'Create another job; delivered transcripts are cached.',
      },
      job_not_ended: {
        ...transient(
          'The job has not ended yet. Cancel it first, or wait.',
          'Cancel the job, or wait for its end.',
        ),
        status: CONFLICT,
      },
      invalid_job_name: invalidField('name', 'name has 1 to 120 characters.'),
      invalid_metadata: invalidField(
        'metadata',
        'metadata has at most 16 pairs of strings: names up to 40 characters, values up to 500.',
      ),
      invalid_newest: invalidField(
        'newest',
        'newest is a whole number from 1 to 500, for a source that is listed.',
      ),
      archive_job_not_ready: {
        ...transient('The job has not ended yet; archives come after that.', 'Wait for the end of the job.'),
        status: CONFLICT,
      },
      archive_part_not_found: {
        status: NOT_FOUND,
        message: 'The archive has no such part.',
        remedy: 'Send the number of a part that the index names.',
      },
      document_empty: {
        status: NOT_FOUND,
        message: 'The job has delivered no transcript.',
        remedy: 'Read in its manifest why its videos failed.',
      },
      archive_source_changed: {
        status: CONFLICT,
        message: 'The job changed since this archive; ask again.',
        remedy: 'Request the archive again without archive_id.',
      },
      invalid_archive_format: invalidField(
        'format',
        'Every archive format is one of json, clean, timestamped, both, srt, vtt, md.',
      ),
      duplicate_archive_formats: invalidField(
        'format or formats',
        'Send format or formats, not both, and each format once.',
      ),
      invalid_document_format: invalidField('format', 'format is md or txt.'),
      invalid_max_words: invalidField('max_words', 'max_words is a whole number from 1000 to 1000000.'),
      invalid_manifest_format: invalidField('format', 'format is json or csv.'),
      invalid_rebuild: invalidField('rebuild', 'rebuild is true, false, 1 or 0.'),
      invalid_archive_part: invalidField('part', 'part is an integer of 1 or more.'),
    },
    'jobs',
  ),
  ...defineCodes('InvalidInput', {
    monitor_source_required: {
      message: 'Send channel or playlist.',
      remedy: 'Add the channel or the playlist to watch.',
    },
    invalid_mail: invalidField('mail', 'mail is now, daily, none or, of a monitor, weekly.'),
    invalid_mail_only_matches: invalidField('mail_only_matches', 'mail_only_matches is true or false.'),
    invalid_auto_fetch: invalidField('auto_fetch', 'auto_fetch is true or false.'),
    invalid_monitor_id: invalidField('the monitor id', 'A monitor id has 32 characters: letters and digits.'),
    monitor_not_found: unknownId('monitor'),
    feed_not_found: {
      status: NOT_FOUND,
      message: 'No feed has this address or id.',
      remedy: 'Copy the address again: the feed was renewed or ended, or its account is frozen or closed.',
    },
    link_not_found: {
      status: NOT_FOUND,
      message: 'No link has this address or id.',
      remedy:
        'Ask who handed it on for another one: the link has ended or was taken back, or its account is frozen or closed.',
    },
    transcript_not_received: {
      status: NOT_FOUND,
      message: 'The account has not received this transcript, so it hands on no link to it.',
      remedy: 'Read it with GET /v1/transcript first, which is free if it is cached.',
    },
    invalid_link_days: invalidField('days', 'days is a whole number from 1 to 90.'),
    invalid_quote: invalidField(
      'start and end',
      'start and end come together, in seconds of the video: 0 or more, start before end, and start before the end of the video.',
    ),
    words_need_auto_fetch: {
      message:
        'Words are looked for in transcripts, so they need auto_fetch. The transcript of each new video then costs 1 credit; a cached one is free.',
      remedy: 'Send auto_fetch true, or no words.',
    },
  }),
};
