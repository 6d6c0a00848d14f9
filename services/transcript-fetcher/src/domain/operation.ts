import {
  type ServiceErrorData,
  serviceError,
  type TranscriptFormat,
  type TranslationOutcome,
} from '@tds/contracts';

/** How long a result can be polled for. */
export const POLLABLE_MS = 24 * 60 * 60 * 1_000;

/** Lanes in which operations wait for their turn: what somebody waits for, and rows of jobs. */
export const LANES = { reads: 0, jobs: 1 } as const;
export type Lane = (typeof LANES)[keyof typeof LANES];

export type OperationState = 'opened' | 'ready' | 'fetching' | 'delivered' | 'failed' | 'cancelled';

/** What one account asked for and pays for, once. */
export type Operation = {
  readonly id: string;
  readonly accountId: string;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: TranscriptFormat;
  readonly state: OperationState;
  /** What it was charged: nothing, or its price. */
  readonly charge: number;
  readonly transcriptId: string | null;
  readonly isFallback: boolean | null;
  readonly translation: TranslationOutcome | null;
  readonly error: ServiceErrorData | null;
  /** It has failed, and its credit is still to be given back. */
  readonly holdsCredit: boolean;
  readonly createdAt: Date;
};

/**
 * What was delivered for a credit need not wait until the ledger is told: that is saved with it. What costs nothing waits until its
 * credit is given back, so that nobody sees a balance without it.
 */
export const isAnswerable = ({ state, holdsCredit }: Pick<Operation, 'state' | 'holdsCredit'>): boolean =>
  state === 'delivered' || (state === 'failed' && !holdsCredit);

/** Throws `request_expired` if a result is too old to be polled for. */
export function assertPollable({ createdAt }: Pick<Operation, 'createdAt'>, now: Date): void {
  if (now.getTime() - createdAt.getTime() > POLLABLE_MS) throw serviceError('request_expired');
}

/**
 * What an operation ends with whose work never began or was lost. Not `service_unavailable`: that tells a polling
 * caller to ask again, and this answer is final.
 */
export const abandonedError: ServiceErrorData = serviceError('relay_unavailable', {
  message: 'The request could not be carried out. Start again with video_id.',
}).data;
