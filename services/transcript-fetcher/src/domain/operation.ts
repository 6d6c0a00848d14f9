import type { PayloadOf, StoredFormat, TranslationOutcome, transcriptFetcher } from '@tds/contracts';
import { type ServiceErrorData, serviceError } from '@tds/errors';

/*
 * Terms
 * - selection: video, language, fallback, format: what a request asks for
 * - operation: one account's request for a selection that was not cached: opened, delivered or failed, settled
 * - batch: the rows of a job, or the reads of an account, that wait for turns
 * - turn: permission to begin a fetch; accounts take turns, then their batches
 * - fetch: one for all operations that want the same track
 * - changes: what has become of a batch's rows, by version
 * - to waive: to make a request cost nothing, after a 5xx
 */

/** How long a result can be polled for. */
export const POLLABLE_MS = 24 * 60 * 60 * 1_000;

/** Priorities by which operations wait for their turn: reads with a waiting caller, and rows of jobs. */
export type Priority = PayloadOf<typeof transcriptFetcher.rowsReady>['priority'];
export type ByPriority<Value> = Readonly<Record<Priority, Value>>;

export const byPriority = <Value>(create: (priority: Priority) => Value): ByPriority<Value> => ({
  reads: create('reads'),
  jobs: create('jobs'),
});

/*
 * opened     a read whose process begins it; with no slot free it becomes ready (`queue_read`)
 * ready      waits for its turn; a row of a job begins so (`open_job_rows`)
 * fetching   waits for the end of a fetch (`begin_fetches`), which makes it delivered or failed (`end_rows`)
 * delivered  final, but a cached row whose cues are lost is ready again, for nothing (`reopen_rows`)
 * failed     final: by its fetch, by what was known at once, or refused before it began (`requests.sql`)
 * cancelled  its job paused or ended while it was ready (`pause_batch`)
 */
export type OperationState = 'opened' | 'ready' | 'fetching' | 'delivered' | 'failed' | 'cancelled';

/** One request of an account, paid once. */
export type Operation = {
  readonly id: string;
  readonly accountId: string;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: StoredFormat;
  readonly state: OperationState;
  /** Credits charged: its price or 0. */
  readonly charge: number;
  readonly transcriptId: string | null;
  readonly isFallback: boolean | null;
  readonly translation: TranslationOutcome | null;
  readonly error: ServiceErrorData | null;
  /** It failed, and its credit is not released yet. */
  readonly holdsCredit: boolean;
  readonly createdAt: Date;
};

/**
 * A delivery need not wait for the ledger: its settlement is saved with it. A failure waits until its credit is released, so that no caller
 * sees a balance without it.
 */
export const isAnswerable = ({ state, holdsCredit }: Pick<Operation, 'state' | 'holdsCredit'>): boolean =>
  state === 'delivered' || (state === 'failed' && !holdsCredit);

/** Throws `request_expired` if a result is too old to be polled for. */
export function assertPollable({ createdAt }: Pick<Operation, 'createdAt'>, now: Date): void {
  if (now.getTime() - createdAt.getTime() > POLLABLE_MS) throw serviceError('request_expired');
}

/**
 * The error of an operation whose work never began or was lost. Not `service_unavailable`, which asks a polling caller to retry: this
 * answer is final.
 */
export const abandonedError: ServiceErrorData = serviceError('relay_unavailable', {
  message: 'The request could not be carried out. Start again with video_id.',
}).data;
