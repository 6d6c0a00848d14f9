import {
  type ServiceErrorData,
  serviceError,
  type TranscriptFormat,
  type TranslationOutcome,
} from '@tds/contracts';

/** How long a result can be polled for. */
export const POLLABLE_MS = 24 * 60 * 60 * 1_000;
/** No operation stays open longer: the sweeper ends it as failed and gives the credit back. */
export const LONGEST_OPERATION_MS = 3 * 60 * 1_000;
/** The same for one of a batch, which holds no credit and may wait for its turn. */
export const LONGEST_BATCH_MS = 30 * 60 * 1_000;
/** A reservation is asked for within this time of the operation's birth, or never. */
export const LONGEST_RESERVING_MS = 20_000;
/** After this the sweeper asks once more for the settlement of an ended operation. */
export const SETTLEMENT_OVERDUE_MS = 2 * 60 * 1_000;

export type OperationState = 'reserving' | 'fetching' | 'delivered' | 'failed';
/**
 * `uncollected`: delivered, but the ledger lost the reservation and cannot charge it any more. `by_caller`: it holds no credit,
 * for whoever sent the batch pays what it is charged.
 */
export type Settlement = 'pending' | 'settled' | 'released' | 'uncollected' | 'by_caller';

export type Operation = {
  readonly id: string;
  readonly accountId: string;
  /** null if no key sent the batch. */
  readonly keyId: string | null;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: TranscriptFormat;
  readonly state: OperationState;
  readonly settlement: Settlement;
  /** What it costs if something is delivered for it: as much is reserved; 0 if it was paid for before. */
  readonly price: number;
  /** What it was charged: nothing, or its price. */
  readonly charge: number;
  readonly transcriptId: string | null;
  readonly isFallback: boolean | null;
  readonly translation: TranslationOutcome | null;
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
};

/** What a request opens. */
export type NewOperation = Pick<
  Operation,
  'id' | 'accountId' | 'keyId' | 'videoId' | 'language' | 'fallback' | 'format'
>;

/** What an ended operation is answered by. */
export type EndedOperation = Omit<Operation, 'accountId' | 'keyId' | 'price' | 'createdAt'>;

/**
 * Ended for ever. What was delivered for a credit need not wait until it is settled: that is a task of the same commit, and
 * the credit is held. What costs nothing waits until its credit is given back, so that nobody sees a balance without it.
 */
export const isAnswerable = ({
  state,
  settlement,
  charge,
}: Pick<Operation, 'state' | 'settlement' | 'charge'>): boolean =>
  (state === 'delivered' && charge > 0) ||
  ((state === 'delivered' || state === 'failed') && settlement !== 'pending');

/** Throws `request_expired` if a result is too old to be polled for. */
export function assertPollable({ createdAt }: Operation, now: Date): void {
  if (now.getTime() - createdAt.getTime() > POLLABLE_MS) throw serviceError('request_expired');
}

/**
 * What an operation ends with whose work never began or was lost. Not `service_unavailable`: that tells a polling
 * caller to ask again, and this answer is final.
 */
export const abandonedError: ServiceErrorData = serviceError('relay_unavailable', {
  message: 'The request could not be carried out. Start again with video_id.',
}).data;
