import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid, videoId } from '../ids.ts';
import { jobSummary, MOST_JOB_ROWS, manifestRow } from './job.ts';

const owned = { accountId: uuid, jobId: uuid };
const version = z.number().int().nonnegative();

export const manifestCommands = commands({
  /** All rows in order, with what manifests, files and archives are made of; at any time, also while the job is under way. */
  getJobManifest: {
    request: z.object(owned),
    reply: z.object({ job: jobSummary, version, rows: z.array(manifestRow).max(MOST_JOB_ROWS) }),
    errors: ['job_not_found'],
  },

  /** One row of the job; whether it was delivered is for the caller to see. */
  getJobFile: {
    request: z.object({ ...owned, videoId }),
    reply: z.object({ job: jobSummary, version, row: manifestRow }),
    errors: ['job_not_found', 'job_video_not_found'],
  },
});
