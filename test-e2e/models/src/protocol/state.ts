import type { FakeBooks } from '@tds/reservations/testing';

/** Cold rows that one slot may open on a day. */
export const COLD_CAP = 3;
export const SLOTS = 2;
export const ACCOUNTS = ['one', 'other'] as const;
/** The first credits of an account, and those of a grant. */
export const GRANT = 8;
export const VIDEOS = 24;

export type Key = {
  readonly id: string;
  readonly account: string;
  readonly slot: number;
  cap: number | null;
  phase: 'active' | 'rotated' | 'revoked';
};

export type OperationRow = {
  readonly id: string;
  /** The job; null for a read. */
  readonly batch: string | null;
  readonly position: number;
  readonly account: string;
  readonly key: string;
  readonly video: number;
  readonly price: 0 | 1;
  readonly ref: string | null;
  state: 'opened' | 'ready' | 'fetching' | 'delivered' | 'failed' | 'cancelled';
  fetch: string | null;
  charge: 0 | 1;
  isWaived: boolean;
  changes: number;
};
export type Batch = {
  readonly id: string;
  readonly account: string;
  state: 'open' | 'held' | 'stopped';
  opening: string | null;
};
/** A settlement of one reservation. */
export type Due = {
  readonly id: string;
  readonly ref: string;
  readonly row: OperationRow;
  readonly charge: number[];
  readonly release: number[];
};

export type FetcherState = {
  rows: Map<string, OperationRow>;
  batches: Map<string, Batch>;
  versions: Map<string, number>;
  /** The scope that counted each reservation. */
  reservations: Map<string, string>;
  /** Open fetches, by their ids. */
  fetches: Map<string, number>;
  cached: Set<number>;
  settlements: Map<string, Due>;
  counts: Map<string, number>;
};

export type JobRow = {
  readonly position: number;
  readonly video: number;
  status: 'pending' | 'processing' | 'cached' | 'fetched' | 'error' | 'cancelled';
  operation: string | null;
  tries: number;
};
export type Pause = 'insufficient_credits' | 'daily_limit' | 'key_revoked';
export type Job = {
  readonly id: string;
  readonly account: string;
  readonly idempotencyKey: number;
  readonly rows: JobRow[];
  key: string;
  /** For the broken variant that copies it. */
  readonly capAtCreation: number | null;
  status: 'creating' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
  isAnswered: boolean;
  opening: string | null;
  isForgotten: boolean;
  pause: Pause | null;
  changes: { version: number; position: number };
};
export type JobsState = {
  jobs: Map<string, Job>;
  /** Tasks: batches to pause or to waive. */
  tasks: Map<string, { readonly kind: 'pause' | 'waive'; readonly job: string; readonly account: string }>;
};

export type LedgerState = { books: FakeBooks; grants: number; epoch: number };

export type Databases = { fetcher: FetcherState; ledger: LedgerState; jobs: JobsState };

export const hasEnded = ({ state }: OperationRow): boolean =>
  ['delivered', 'failed', 'cancelled'].includes(state);
export const isLive = ({ status }: Job): boolean => ['creating', 'running', 'paused'].includes(status);
export const isLeft = ({ status }: JobRow): boolean => status === 'pending' || status === 'processing';
export const partOf = ({ position }: OperationRow): number => position + 1;

export const emptyFetcher = (): FetcherState => ({
  rows: new Map(),
  batches: new Map(),
  versions: new Map(),
  reservations: new Map(),
  fetches: new Map(),
  cached: new Set(),
  settlements: new Map(),
  counts: new Map(),
});
