import type { BatchChange, BatchRow } from '@tds/contracts';
import type { SubmitBatchRequest } from './changes.ts';

export type Step =
  | 'submitBatch'
  | 'pauseBatch'
  | 'readChanges'
  | 'batchVersions'
  | 'listBatches'
  | 'waiveBatch';
export type State = BatchChange['state'] | 'waiting';
export type FakeRow = BatchRow & { version: number; state: State; changes: BatchChange | null };
export type FakeBatch = {
  readonly request: SubmitBatchRequest;
  version: number;
  state: 'open' | 'held' | 'stopped';
  /** Its job is not accepted yet. */
  waits: boolean;
  readonly rows: Map<string, FakeRow>;
};
