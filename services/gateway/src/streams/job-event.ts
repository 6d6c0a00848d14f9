import { type JobSummary, jobProgress } from '@tds/contracts';

/** Asked of clients (specification, part 6). */
const RECONNECT_MS = 10_000;

export const hasJobEnded = ({ status }: Pick<JobSummary, 'status'>): boolean =>
  ['completed', 'failed', 'cancelled'].includes(status);

/** One event of a progress stream: the whole progress, so that none needs another. */
export const jobEvent = (job: JobSummary, version: number): string =>
  `id: ${version}\nevent: job\ndata: ${JSON.stringify(jobProgress.parse(job))}\n\n`;

/** What a stream begins with. */
export const firstEvent = (job: JobSummary, version: number): string =>
  `retry: ${RECONNECT_MS}\n${jobEvent(job, version)}`;
