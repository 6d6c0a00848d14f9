import { createWriteStream } from 'node:fs';

export type CallKind =
  | 'code'
  | 'verify'
  | 'cold'
  | 'cached'
  | 'special'
  | 'poll'
  | 'facts'
  | 'search'
  | 'list'
  | 'job'
  | 'cancelJob'
  | 'archive'
  | 'webhook'
  | 'monitor'
  | 'begin'
  | 'stop'
  | 'wrong'
  | 'stranger'
  | 'revoked';

/** One call as its caller saw it. Times are milliseconds since the run began. */
export type CallRecord = {
  readonly type: 'call';
  readonly kind: CallKind;
  readonly at: number;
  readonly ms: number;
  /** `failed` is a definite answer; `unknown` is none: it timed out or the connection broke. */
  readonly outcome: 'ok' | 'failed' | 'unknown';
  readonly status: number | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** A video's id, a polling id, a question, a channel's id or an email address. */
  readonly about: string;
  readonly charged: number;
  readonly cache: string | null;
  /** Of a file, or of what a page showed. */
  readonly sha256: string | null;
  /** The gateway and Redis had everything that this answer takes, so that it needed no other part. */
  readonly hot: boolean;
};

/** A fault from its first to its last moment, until everything answers again. */
export type FaultRecord = {
  readonly type: 'fault';
  readonly fault: string;
  readonly target: string;
  readonly kills: number;
  readonly at: number;
  readonly until: number;
  /** Time from the last blow to the first success of what was hit; null where that was not looked for or never came. */
  readonly recoveredMs: number | null;
  /** Cached reads must be answered all the time between `at` and `until`. */
  readonly cachedReads: boolean;
  /** False where the fault did not come about: a crash point that was never passed. */
  readonly happened: boolean;
};

/** A promise that was given to a caller, to be looked for afterwards. */
export type KeptRecord =
  | { readonly type: 'account'; readonly accountId: string; readonly keyId: string; readonly email: string }
  | { readonly type: 'revocation'; readonly keyId: string; readonly at: number };

/** What became of a call whose caller got no answer. */
export type ResolvedRecord = {
  readonly type: 'resolved';
  readonly kind: CallKind;
  readonly about: string;
  readonly requestId: string | null;
  readonly became: string;
};

/** A ZIP that a customer has got to its end; `broken` says what of it is not what its manifest says. */
export type ZipRecord = { readonly type: 'zip'; readonly about: string; readonly broken: readonly string[] };

/** Redis answered late, or not at all. */
export type LateRedisRecord = { readonly type: 'late-redis'; readonly at: number; readonly ms: number };

export type HistoryRecord =
  | CallRecord
  | FaultRecord
  | KeptRecord
  | ResolvedRecord
  | ZipRecord
  | LateRedisRecord;

export type History = {
  /** Milliseconds since the run began. */
  now(): number;
  add(record: HistoryRecord): void;
  readonly calls: readonly CallRecord[];
  readonly faults: readonly FaultRecord[];
  readonly kept: readonly KeptRecord[];
  readonly resolved: readonly ResolvedRecord[];
  readonly zips: readonly ZipRecord[];
  readonly lateRedis: readonly LateRedisRecord[];
  close(): Promise<void>;
};

/** Keeps the run in memory for the checks and as JSON lines in a file for people. No secret is ever in it. */
export const openHistory = (file: string): History => {
  const startedAt = performance.now();
  const lines = createWriteStream(file);
  const calls: CallRecord[] = [];
  const faults: FaultRecord[] = [];
  const kept: KeptRecord[] = [];
  const resolved: ResolvedRecord[] = [];
  const zips: ZipRecord[] = [];
  const lateRedis: LateRedisRecord[] = [];
  return {
    now: () => Math.round(performance.now() - startedAt),
    add: (record) => {
      lines.write(`${JSON.stringify(record)}\n`);
      if (record.type === 'call') calls.push(record);
      else if (record.type === 'fault') faults.push(record);
      else if (record.type === 'resolved') resolved.push(record);
      else if (record.type === 'zip') zips.push(record);
      else if (record.type === 'late-redis') lateRedis.push(record);
      else kept.push(record);
    },
    calls,
    faults,
    kept,
    resolved,
    zips,
    lateRedis,
    close: () => new Promise((resolve) => lines.end(resolve)),
  };
};
