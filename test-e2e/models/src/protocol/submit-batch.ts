import { pauseBatch } from './fetcher.ts';
import { type Answer, atFetcher, saveOpened } from './jobs.ts';
import { paidItems, reserve } from './ledger.ts';
import { holdRows, type OpenedRow, openRows } from './open-rows.ts';
import type { Job, JobRow, Key } from './state.ts';
import type { World } from './world.ts';

type SubmitBatchRequest = {
  readonly job: Job;
  readonly key: Key;
  readonly coverage: 'all' | 'some';
  readonly asked: readonly JobRow[];
  readonly paid: ReadonlySet<number>;
};

const open = (world: World, { job, key, paid, asked }: SubmitBatchRequest): OpenedRow[] =>
  openRows(world, {
    batch: job.id,
    account: job.account,
    key,
    rows: asked.map(({ operation, position, video }) => ({
      id: String(operation),
      position,
      video,
      price: paid.has(position + 1) ? 0 : 1,
    })),
  });

/** Reserves a reservation at the ledger. */
const hold = function* (world: World, { job, key, coverage }: SubmitBatchRequest, rows: readonly OpenedRow[]) {
  const ref = rows.find(({ reservation }) => reservation !== null)?.reservation;
  if (!ref) return { gone: [], why: null };
  yield;
  const items = rows.flatMap(({ reservation, item }) => (reservation === null ? [] : item));
  const cap = world.rules.asksForTheCapOfNow ? key.cap : job.capAtCreation;
  const { held, why } = reserve(world, { ref, key, cap, batch: job.id, items, coverage });
  yield;
  const own = rows.filter(({ reservation }) => reservation !== null);
  const gone = holdRows(world, { id: job.id, reservation: ref, held }, own);
  return { gone, why: why === null || why === 'insufficient_credits' ? why : ('daily_limit' as const) };
};

/** The fetcher's command: one reservation. Null if another opening is unfinished. */
const submitBatch = function* (world: World, given: SubmitBatchRequest): Generator<void, Answer | null, void> {
  const { key, asked } = given;
  if (key.phase === 'revoked')
    return { unopened: asked.map(({ operation }) => String(operation)), why: 'key_revoked' };
  yield;
  const rows = open(world, given);
  const { gone, why } = yield* hold(world, given, rows);
  const refused = rows.filter(({ state }) => state === 'refused');
  if (refused.some(({ full }) => full === 'opening')) return null;
  const isStopped = refused.some(({ full }) => full === 'stopped');
  const byDay = isStopped ? 'stopped' : refused.length > 0 ? 'daily_limit' : null;
  return { unopened: [...refused.map(({ id }) => id), ...gone], why: why ?? byDay };
};

/**
 * Opens saved rows at the fetcher; the caller's copy of the job may be old. Returns why some were not opened; undefined if the answer is
 * unknown.
 */
export const askToOpen = function* (
  world: World,
  job: Job,
  coverage: 'all' | 'some',
  asked: readonly JobRow[] = atFetcher(job),
): Generator<void, Answer | undefined, void> {
  if (job.status === 'cancelled') pauseBatch(world, job.id, job.account, 'stopped');
  yield;
  const isAsked = job.isForgotten && world.rules.asksWhatIsPaid;
  const paid = isAsked ? paidItems(world, job) : new Set<number>();
  world.coverage.paidAlready += asked.filter(({ position }) => paid.has(position + 1)).length;
  yield;
  const key = world.keyOf(job.key);
  const answer = yield* submitBatch(world, { job, key, coverage, asked, paid });
  yield;
  return answer ?? undefined;
};

/** Applies the answer, if the job still exists. */
export const hearOpened = (world: World, asked: Job, answer: Answer): void => {
  const job = world.db.jobs.jobs.get(asked.id);
  if (job) saveOpened(world, job, asked, answer);
};
