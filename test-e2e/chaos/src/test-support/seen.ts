import { loadVideoId } from '@tds/simulators/platform';
import type { CallRecord, FaultRecord, KeptRecord, LateRedisRecord } from '../history.ts';

/** The video that the customer of a checked system has paid for. */
export const PAID_VIDEO = loadVideoId(911);

type Seen = {
  calls: CallRecord[];
  kept: KeptRecord[];
  faults: FaultRecord[];
  lateRedis: LateRedisRecord[];
};
const nothing: Seen = { calls: [], kept: [], faults: [], lateRedis: [] };

/** What callers have seen in a run of which nothing else is known. */
export const historyOf = (seen: Partial<Seen>): Seen => ({ ...nothing, ...seen });

/** A cold transcript that was paid for, a second after the run began. */
export const paidCall = (seen: Partial<CallRecord> = {}): CallRecord => ({
  ...{ type: 'call', kind: 'cold', at: 1_000, ms: 10, outcome: 'ok', status: 200, code: null },
  ...{ requestId: null, accountId: null, keyId: null, about: PAID_VIDEO, charged: 1, cache: 'MISS' },
  ...{ sha256: null, hot: false },
  ...seen,
});

/** A second in which a server was hit and cached reads had to be answered. */
export const faultAt500 = (seen: Partial<FaultRecord> = {}): FaultRecord => ({
  ...{ type: 'fault', fault: 'kill-broker', target: 'nats', kills: 1, at: 500, until: 1_500 },
  ...{ recoveredMs: 900, cachedReads: true, happened: true },
  ...seen,
});

export const invariantsOf = (findings: readonly { invariant: string }[]): string[] =>
  findings.map(({ invariant }) => invariant);
