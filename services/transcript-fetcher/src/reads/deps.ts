import type { ColdLimits } from '../credits/index.ts';
import type { LaterCaptions, Worker } from '../fetches/index.ts';
import type { TrackDeps } from '../tracks/index.ts';
import type { ReadWaiters } from './read-waiters.ts';

/** For rows that are opened, whether a caller or a job waits for them. */
export type ReadDeps = TrackDeps & {
  readonly worker: Worker;
  readonly waiters: ReadWaiters;
  readonly laterCaptions: LaterCaptions;
  readonly limits: ColdLimits;
};
