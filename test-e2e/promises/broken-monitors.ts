import type { Broken } from './broken.ts';

const theMonitor = '(SELECT monitor_id FROM jobs WHERE monitor_id IS NOT NULL LIMIT 1)';
const itsJob = 'SELECT id FROM jobs WHERE monitor_id IS NOT NULL';

/** Videos that are forgotten, or reported or fetched twice. */
export const brokenMonitors: readonly Broken[] = [
  [
    'a new video that has no number',
    'I11',
    { 'monitor-scheduler': 'UPDATE videos SET number = NULL WHERE number = 1' },
    'numbers of the new videos of a feed',
  ],
  [
    'a feed that is watched by more than its monitors',
    'I11',
    { 'monitor-scheduler': 'UPDATE feeds SET watchers = watchers + 1' },
    'those who watch a feed',
  ],
  [
    'a feed that is never due again',
    'I11',
    { 'monitor-scheduler': `UPDATE feeds SET due_at = 'infinity'` },
    'the next look at a feed that is watched',
  ],
  [
    'a monitor that is never due',
    'I11',
    { 'monitor-scheduler': `UPDATE monitors SET emitted = baseline, due_at = now() + interval '1 day'` },
    'the turn of a monitor that has something to tell',
  ],
  [
    'a monitor that no action serves',
    'I11',
    { 'monitor-scheduler': 'DELETE FROM actions' },
    'the action of a monitor',
  ],
  [
    'a video that was reported twice',
    'I11',
    {
      'monitor-scheduler': `
        INSERT INTO messaging.outbox (id, subject, payload, headers)
        SELECT gen_random_uuid(), subject, payload, headers FROM messaging.outbox WHERE subject ~ 'new-videos-found'`,
    },
    'new videos that a monitor has reported',
  ],
  [
    'a video in two jobs of one monitor',
    'I11',
    {
      'bulk-orchestrator': `
        UPDATE job_rows SET video_id = (SELECT video_id FROM job_rows WHERE job_id IN (${itsJob}) LIMIT 1)
          WHERE position = 0 AND job_id NOT IN (${itsJob});
        UPDATE jobs SET monitor_id = ${theMonitor}`,
    },
    'automatic jobs that have the same video',
  ],
  [
    'a video that its monitor has had fetched, and no job has',
    'I11',
    { 'bulk-orchestrator': `DELETE FROM job_rows WHERE job_id IN (${itsJob})` },
    'new videos in jobs of a monitor',
  ],
];
