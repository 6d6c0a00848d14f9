import type { BatchChange, LineRow } from '@tds/contracts';
import type { OpenLineRequest } from './changes.ts';

export type Step = 'openLine' | 'haltLine' | 'readChanges' | 'lineVersions' | 'listLines' | 'disownLine';
export type State = BatchChange['state'] | 'waiting';
export type FakeRow = LineRow & { version: number; state: State; changes: BatchChange | null };
export type FakeLine = {
  readonly request: OpenLineRequest;
  version: number;
  state: 'open' | 'held' | 'stopped';
  /** Its job is not accepted yet. */
  waits: boolean;
  readonly rows: Map<string, FakeRow>;
};
