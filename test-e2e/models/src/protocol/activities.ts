import { beginRow, endFetch, failRead, pauseBatch, waiveBatch } from './fetcher.ts';
import { atFetcher, beginAttempts, compareBatch, forgetBatch, save, saveChanges } from './jobs.ts';
import { reserve, settlePending } from './ledger.ts';
import { openRows } from './open-rows.ts';
import { isLive, type Job, type Key } from './state.ts';
import { askToOpen, hearOpened } from './submit-batch.ts';
import type { Activity, World } from './world.ts';

/** Rows of changes per read. */
const PAGE = 3;

const jobOf = ({ db }: World, id: string): Job | undefined => db.jobs.jobs.get(id);

/** Reads and saves the changes of a job. */
export const applyChanges = function* (world: World, id: string): Activity {
  for (;;) {
    const job = structuredClone(jobOf(world, id));
    if (!job) return;
    yield;
    const { batches, versions, rows } = world.db.fetcher;
    const version = versions.get(id) ?? 0;
    const batch = batches.get(id);
    const { changes: after } = job;
    const changes = [...rows.values()]
      .filter((row) => row.batch === id)
      .filter(
        ({ changes, position }) =>
          changes > after.version || (changes === after.version && position > after.position),
      )
      .toSorted((one, other) => one.changes - other.changes || one.position - other.position)
      .map((row) => structuredClone(row));
    const last = changes[PAGE - 1] ?? changes.at(-1);
    // Two attempts at one row that ended together are read together.
    const page = changes.filter(
      (row, n) => n < PAGE || (row.changes === last?.changes && row.position === last.position),
    );
    const read = last ? { version: last.changes, position: last.position } : after;
    const isAll = page.length === changes.length && batch !== undefined && read.version <= version;
    const upTo = isAll ? { version, position: Number.MAX_SAFE_INTEGER } : read;
    const isNew =
      upTo.version > after.version || (upTo.version === after.version && upTo.position > after.position);
    const latest = batch ? { ...batch, version } : null;
    yield;
    const now = jobOf(world, id);
    if (!now) return;
    if (!isNew) return compareBatch(world, now, latest);
    saveChanges(world, now, job, page, upTo);
    yield;
  }
};

/** Deletes a job that was never accepted. */
const discard = (world: World, asked: Job): void => {
  const job = jobOf(world, asked.id);
  if (job?.status !== 'creating') return;
  world.db.jobs.jobs.delete(job.id);
  world.db.jobs.tasks.set(`waive ${job.id}`, { kind: 'waive', job: job.id, account: job.account });
  world.coverage.refusedCreations += 1;
};

const openNewJob = function* (world: World, asked: Job): Activity {
  const answer = yield* askToOpen(world, asked, 'all');
  if (answer === undefined) return;
  if (answer.why === 'insufficient_credits' || answer.why === 'key_revoked') return discard(world, asked);
  hearOpened(world, asked, answer);
  yield* applyChanges(world, asked.id);
  const job = jobOf(world, asked.id);
  if (job?.status === 'creating') save(world, job, { status: 'running' });
};

/** Creates a job; a repeat of its key returns the same job. */
export const createJob = function* (
  world: World,
  key: Key,
  idempotencyKey: number,
  videos: number[],
): Activity {
  const { jobs } = world.db.jobs;
  const isRepeat = [...jobs.values()].some(
    (job) => job.account === key.account && job.idempotencyKey === idempotencyKey,
  );
  if (isRepeat) return;
  const id = world.id('job');
  const rows = [...new Set(videos)].map((video, position) => {
    return { position, video, status: 'pending' as const, operation: world.id('row'), tries: 0 };
  });
  const head = { id, account: key.account, idempotencyKey, rows, key: key.id, capAtCreation: key.cap };
  const state = { status: 'creating', isAnswered: false, isForgotten: false, pause: null } as const;
  const changes = { version: 0, position: -1 };
  const job: Job = { ...head, ...state, changes, opening: world.id('opening') };
  jobs.set(id, job);
  yield* openNewJob(world, structuredClone(job));
};

/** Advances a job like the sweep, due or not. */
export const advance = function* (world: World, id: string): Activity {
  const job = jobOf(world, id);
  if (!job) return;
  let fresh = atFetcher(job);
  if (job.opening !== null || job.status === 'creating') {
    save(
      world,
      job,
      fresh.length > 0
        ? { opening: world.id('opening'), isForgotten: true }
        : { opening: null, isForgotten: false },
    );
  } else if (!isLive(job) || job.pause === 'key_revoked') return;
  else {
    fresh = beginAttempts(world, job);
    save(world, job, fresh.length > 0 ? { opening: world.id('opening') } : { pause: null });
  }
  const asked = structuredClone(job);
  if (asked.status === 'creating') return yield* openNewJob(world, asked);
  if (asked.opening === null) return;
  const answer = yield* askToOpen(world, asked, 'some', structuredClone(fresh));
  if (answer !== undefined) hearOpened(world, asked, answer);
};

/** Finds changes with lost hints: compares versions. */
export const compareVersions = function* (world: World, id: string): Activity {
  const job = structuredClone(jobOf(world, id));
  if (!job) return;
  yield;
  const version = world.db.fetcher.versions.get(id) ?? -1;
  yield;
  const now = jobOf(world, id);
  if (version > job.changes.version) yield* applyChanges(world, id);
  else if (now && version < job.changes.version) forgetBatch(world, now);
};

/** A task of the jobs' service, repeated until it is done. */
export const doTask = function* (world: World, name: string): Activity {
  const task = world.db.jobs.tasks.get(name);
  if (!task) return;
  const job = structuredClone(jobOf(world, task.job));
  yield;
  if (task.kind === 'waive') waiveBatch(world, task.job, task.account);
  else if (job && (job.status === 'cancelled' || job.pause !== null)) {
    const pause = () =>
      pauseBatch(world, task.job, task.account, job.status === 'cancelled' ? 'stopped' : 'held');
    pause();
    if (job.status === 'cancelled') world.late.push(() => void pause());
    yield* applyChanges(world, task.job);
  }
  yield;
  world.db.jobs.tasks.delete(name);
};

/** A read is a reservation of one row. */
export const read = function* (world: World, key: Key, video: number): Activity {
  const id = world.id('read');
  const rows = [{ id, position: 0, video, price: 1 as const }];
  const [opened] = openRows(world, { batch: null, account: key.account, key, rows });
  if (!opened?.reservation) return;
  const ref = opened.reservation;
  yield;
  const row = () => world.db.fetcher.rows.get(id);
  const { held } = reserve(world, { ref, key, cap: key.cap, batch: null, items: [1], coverage: 'all' });
  yield;
  const own = row();
  if (!own) return;
  if (held.length > 0) beginRow(world, own);
  else failRead(world, own, true);
};

/** Ends a fetch and settles with the ledger at once. */
export const finishFetch = function* (world: World, id: string, isDelivered: boolean): Activity {
  const settlements = endFetch(world, id, isDelivered);
  yield;
  for (const due of settlements) yield* settlePending(world, due);
};

/** Stops a batch without a job and gives its charges back; reads the changes of other batches. */
export const reconcileBatch = function* (world: World, id: string): Activity {
  const batch = world.db.fetcher.batches.get(id);
  if (!batch) return;
  yield;
  if (!jobOf(world, id)) waiveBatch(world, id, batch.account);
  else yield* applyChanges(world, id);
};
