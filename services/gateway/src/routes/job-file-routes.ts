import { getJobArchive } from './get-job-archive.ts';
import { getJobFile } from './get-job-file.ts';
import { getJobManifest } from './get-job-manifest.ts';
import { streamJob } from './stream-job.ts';

export const jobFileRoutes = { getJobManifest, getJobFile, getJobArchive, streamJob };
