import { type JobSummary, jobProgress } from '@tds/contracts';

/** Asked of clients (specification, part 6). */
const RECONNECT_MS = 10_000;

/** What streams say of a job: the whole progress, so that none needs what came before. */
export const progressOf = (job: JobSummary): string => JSON.stringify(jobProgress.parse(job));

/** One event of a progress stream. */
export const jobEvent = (progress: string, version: number): string =>
  `id: ${version}\nevent: job\ndata: ${progress}\n\n`;

/** What a stream begins with; a reader who knows the version already is only told when to come back. */
export const firstEvent = (progress: string, version: number, isKnown: boolean): string =>
  `retry: ${RECONNECT_MS}\n${isKnown ? '\n' : jobEvent(progress, version)}`;
