import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { type Call, isServiceAway, type Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';

/** What cold work needs of others, as the public knows it. */
export const needed = ['accounts', 'credits', 'relay'] as const satisfies readonly Impairment[];
export type Needed = (typeof needed)[number];

export type Observed = ReplyOf<typeof status.getStatus>;

/** What this gateway knows of the system, and since when. */
export type KnownStatus = {
  /** Null where the status service does not answer. */
  readonly observed: Observed | null;
  /** Who does not answer this gateway. */
  readonly away: ReadonlySet<Needed>;
  /** As it was last told. */
  readonly history: StatusHistory | null;
  readonly checkedAt: Date;
};

const PATIENCE_MS = 2_000;
/** One late answer is no outage. */
const MISSES_TO_BE_AWAY = 2;
const HISTORY_EVERY_ROUNDS = 10;
/** Who has missed one is asked again soon: in this share of the time. */
const SOON = 0.1;

/** Nobody's, so that the questions have answers without rows. */
const NOBODY = '00000000-0000-4000-8000-000000000000';
const NO_VIDEO = '-----------';

/** Each a read of one or two rows that passes the service's own database. */
const questions = (call: Call<Surface>, now: () => Date) =>
  ({
    accounts: (context) =>
      call(
        identity.listSlotKeys,
        { accountId: NOBODY, limitId: NOBODY, since: now().toISOString() },
        context,
      ),
    credits: (context) => call(creditsLedger.getDayUsage, { accountId: NOBODY, day: utcDay(now()) }, context),
    relay: (context) => call(transcriptFetcher.getVideoFacts, { videoId: NO_VIDEO }, context),
  }) satisfies Record<Needed, (context: Parameters<Call<Surface>>[2]) => Promise<unknown>>;

const newContext = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: AbortSignal.timeout(PATIENCE_MS),
});

type Asked<T> = { readonly answer: T } | null;

/** Null where nobody has answered, twice in a row; until then what was answered before. */
const createPatient = <T>(ask: () => Promise<T>) => {
  let misses = 0;
  let last: Asked<T> = null;
  return async (): Promise<Asked<T>> => {
    try {
      last = { answer: await ask() };
      misses = 0;
    } catch (error) {
      misses += 1;
      // Whoever refuses is there, but has not said what was asked.
      if (misses >= MISSES_TO_BE_AWAY || !isServiceAway(error)) last = null;
    }
    return last;
  };
};

const createRounds = (call: Call<Surface>, now: () => Date) => {
  const ask = questions(call, now);
  const misses = new Map<Needed, number>();
  const askOne = async (part: Needed): Promise<void> => {
    const isAway = await ask[part](newContext()).then(() => false, isServiceAway);
    misses.set(part, isAway ? (misses.get(part) ?? 0) + 1 : 0);
  };
  const askObserved = createPatient(() => call(status.getStatus, {}, newContext()));
  const askHistory = createPatient(() => call(status.getHistory, {}, newContext()));
  let round = 0;
  let known: KnownStatus = { observed: null, away: new Set(), history: null, checkedAt: now() };
  const look = async (): Promise<KnownStatus> => {
    const isForHistory = known.history === null || round % HISTORY_EVERY_ROUNDS === 0;
    round += 1;
    const [observed, history] = await Promise.all([
      askObserved(),
      isForHistory ? askHistory() : null,
      ...needed.map(askOne),
    ]);
    known = {
      observed: observed?.answer ?? null,
      away: new Set(needed.filter((part) => (misses.get(part) ?? 0) >= MISSES_TO_BE_AWAY)),
      // What was is as it was, also where nobody can be asked about it now.
      history: history?.answer ?? known.history,
      checkedAt: now(),
    };
    return known;
  };
  /** Whether somebody has missed a round and is not taken for away yet. */
  const isUnsure = (): boolean =>
    [...misses.values()].some((missed) => missed > 0 && missed < MISSES_TO_BE_AWAY);
  return { look, isUnsure };
};

export type StatusWatch = { readonly known: () => KnownStatus };

type WatchParts = Pick<Kit<Surface>, 'call' | 'onStop'> & {
  readonly now: () => Date;
  /** From the end of a round to the next. */
  readonly everyMs: number;
};

/** Asks who is there and how they fare, round after round, so that any number of callers is answered from memory. */
export const watchStatus = async ({ call, onStop, now, everyMs }: WatchParts): Promise<StatusWatch> => {
  const { look, isUnsure } = createRounds(call, now);
  const ending = new AbortController();
  let known = await look();
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      // Ended while it waits: then there is no next round.
      const pauseMs = isUnsure() ? everyMs * SOON : everyMs;
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) known = await look();
    }
  };
  const watching = watch();
  onStop('status', async () => {
    ending.abort();
    await watching;
  });
  return { known: () => known };
};
