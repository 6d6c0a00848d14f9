import { setTimeout as delay } from 'node:timers/promises';
import { isServiceAway } from '@tds/base';
import {
  creditsLedger,
  type Impairment,
  identity,
  type ReplyOf,
  type StatusHistory,
  status,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import type { Call, Kit } from '@tds/kit';
import { ownContext } from '../reports/index.ts';
import type { Surface } from '../surface.ts';

/** The services that cold work needs, by their public names. */
export const dependencies = ['accounts', 'credits', 'relay'] as const satisfies readonly Impairment[];
export type Dependency = (typeof dependencies)[number];

export type StatusReport = ReplyOf<typeof status.getStatus>;

/** The gateway's view of the system at a moment. */
export type KnownStatus = {
  /** Null if the status service does not answer. */
  readonly report: StatusReport | null;
  /** Services that do not answer this gateway. */
  readonly away: ReadonlySet<Dependency>;
  /** The last known history. */
  readonly history: StatusHistory | null;
  readonly checkedAt: Date;
};

const MISSES_TO_BE_AWAY = 2;
const HISTORY_EVERY_ROUNDS = 10;
/** After a miss the next round comes after this share of the pause. */
const RETRY_SHARE = 0.1;

/** An id without rows, so that the probes have cheap answers. */
const NO_ACCOUNT = '00000000-0000-4000-8000-000000000000';
const NO_VIDEO = '-----------';
const NO_DIGEST = '0'.repeat(64);

/** Each probe reads one or two rows of the service's own database. */
const probes = (call: Call<Surface>, now: () => Date) =>
  ({
    accounts: (context) => call(identity.findGrantRecord, { kind: 'Client', digest: NO_DIGEST }, context),
    credits: (context) =>
      call(creditsLedger.getDayUsage, { accountId: NO_ACCOUNT, day: utcDay(now()) }, context),
    relay: (context) => call(transcriptFetcher.getVideoFacts, { videoId: NO_VIDEO }, context),
  }) satisfies Record<Dependency, (context: Parameters<Call<Surface>>[2]) => Promise<unknown>>;

/** Asks once a round. One late answer is not an outage: the last one counts until the second miss in a row. */
const createProbe = <T>(ask: () => Promise<T>) => {
  let misses = 0;
  let last: T | null = null;
  return {
    isAway: () => misses >= MISSES_TO_BE_AWAY,
    /** It has missed a round but does not count as away yet. */
    isUnsure: () => misses > 0 && misses < MISSES_TO_BE_AWAY,
    async ask(): Promise<T | null> {
      try {
        last = await ask();
        misses = 0;
      } catch (error) {
        // A service that refuses is up, but its answer is unknown.
        misses = isServiceAway(error) ? misses + 1 : 0;
        if (misses === 0 || misses >= MISSES_TO_BE_AWAY) last = null;
      }
      return last;
    },
  };
};

const createRounds = (call: Call<Surface>, now: () => Date) => {
  const asks = probes(call, now);
  const parts = dependencies.map((part) => ({ part, ...createProbe<unknown>(() => asks[part](ownContext())) }));
  const report = createProbe(() => call(status.getStatus, {}, ownContext()));
  const history = createProbe(() => call(status.getHistory, {}, ownContext()));
  let round = 0;
  let latest: KnownStatus = { report: null, away: new Set(), history: null, checkedAt: now() };
  const poll = async (): Promise<KnownStatus> => {
    const isForHistory = latest.history === null || round % HISTORY_EVERY_ROUNDS === 0;
    round += 1;
    const [newReport, newHistory] = await Promise.all([
      report.ask(),
      isForHistory ? history.ask() : null,
      ...parts.map(({ ask }) => ask()),
    ]);
    latest = {
      report: newReport,
      away: new Set(parts.flatMap(({ part, isAway }) => (isAway() ? part : []))),
      // The past does not change, so keep the last known history.
      history: newHistory ?? latest.history,
      checkedAt: now(),
    };
    return latest;
  };
  return { poll, isUnsure: () => parts.some((part) => part.isUnsure()) };
};

export type StatusWatch = { readonly current: () => KnownStatus };

type WatchDeps = Pick<Kit<Surface>, 'call' | 'onStop'> & {
  readonly now: () => Date;
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
};

/** Probes the services round after round, so that all callers are answered from memory. */
export const watchStatus = async ({ call, onStop, now, everyMs }: WatchDeps): Promise<StatusWatch> => {
  const { poll, isUnsure } = createRounds(call, now);
  const ending = new AbortController();
  let latest = await poll();
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      // The process stopped during the pause.
      const pauseMs = isUnsure() ? everyMs * RETRY_SHARE : everyMs;
      await delay(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) latest = await poll();
    }
  };
  const watching = watch();
  onStop('status', async () => {
    ending.abort();
    await watching;
  });
  return { current: () => latest };
};
