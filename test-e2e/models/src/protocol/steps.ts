import { advance, applyChanges, compareVersions, doTask, finishFetch, reconcileBatch } from './activities.ts';
import { beginRow, failRead } from './fetcher.ts';
import { compareWithLedger, settlePending } from './ledger.ts';
import type { Activity, World } from './world.ts';

export const pick = <Item>(items: Iterable<Item>, n: number): Item | undefined => {
  const all = [...items];
  return all[n % Math.max(all.length, 1)];
};

export const start = (world: World, activity: Activity): void => void world.activities.push(activity);

/** Runs the next transaction of one activity. */
const runStep = (world: World, n: number): void => {
  const activity = pick(world.activities, n);
  if (activity?.next().done) world.activities = world.activities.filter((each) => each !== activity);
};

/** Kills a process halfway, or loses its answer. */
const crash = (world: World, n: number): void => {
  const activity = pick(world.activities, n);
  if (!activity) return;
  world.activities = world.activities.filter((each) => each !== activity);
  world.coverage.deaths += 1;
};

const deliverLate = (world: World, n: number): void => {
  const command = pick(world.late, n);
  if (!command) return;
  world.coverage.lateCommands += 1;
  command();
};

const claim = (world: World, n: number): void => {
  const ready = [...world.db.fetcher.rows.values()].filter(({ state }) => state === 'ready');
  const row = pick(ready, n);
  if (row) beginRow(world, row);
};

const begin = <Item>(world: World, items: Iterable<Item>, n: number, work: (item: Item) => Activity): void => {
  const item = pick(items, n);
  if (item !== undefined) start(world, work(item));
};

type Step = (world: World, n: number) => void;

/** Spontaneous work, one small step at a time. */
export const steps: readonly Step[] = [
  ...Array<Step>(16).fill(runStep),
  ...Array<Step>(4).fill(claim),
  crash,
  deliverLate,
  (world, n) => begin(world, world.db.fetcher.fetches.keys(), n, (id) => finishFetch(world, id, n % 3 > 0)),
  (world, n) => begin(world, world.db.fetcher.fetches.keys(), n, (id) => finishFetch(world, id, n % 3 > 0)),
  (world, n) => begin(world, world.db.fetcher.settlements.values(), n, (due) => settlePending(world, due)),
  (world, n) => begin(world, world.db.jobs.jobs.keys(), n, (id) => advance(world, id)),
  (world, n) => begin(world, world.db.jobs.jobs.keys(), n, (id) => advance(world, id)),
  (world, n) => begin(world, world.db.jobs.jobs.keys(), n, (id) => applyChanges(world, id)),
  (world, n) => begin(world, world.db.jobs.jobs.keys(), n, (id) => compareVersions(world, id)),
  (world, n) => begin(world, world.db.jobs.tasks.keys(), n, (name) => doTask(world, name)),
  (world, n) => begin(world, world.db.fetcher.batches.keys(), n, (id) => reconcileBatch(world, id)),
];

const MAX_STEPS = 10_000;
const RESERVATIONS = 7;

export const finish = (activity: Activity): void => {
  for (let step = 0; !activity.next().done; step += 1) if (step > MAX_STEPS) throw new Error('it has no end');
};

const each = <Item>(items: Iterable<Item>, work: (item: Item) => void): void => [...items].forEach(work);

/** Runs all due work and nothing else; every `nth` fetch fails. Reads of dead processes end first. */
export const drain = (world: World, nth = Number.POSITIVE_INFINITY): void => {
  let fetches = 0;
  const isDelivered = () => ++fetches % nth !== 0;
  world.activities = [];
  for (let reservation = 0; reservation < RESERVATIONS; reservation += 1) {
    world.clock += 1_000;
    const { fetcher, jobs } = world.db;
    each(fetcher.rows.values(), (row) => failRead(world, row, false));
    for (const sweep of [advance, applyChanges, compareVersions])
      each(jobs.jobs.keys(), (id) => finish(sweep(world, id)));
    each(jobs.tasks.keys(), (name) => finish(doTask(world, name)));
    each(fetcher.batches.keys(), (id) => finish(reconcileBatch(world, id)));
    each(fetcher.rows.values(), (row) => row.state === 'ready' && beginRow(world, row));
    each(fetcher.fetches.keys(), (id) => finish(finishFetch(world, id, isDelivered())));
    each(fetcher.settlements.values(), (due) => finish(settlePending(world, due)));
    compareWithLedger(world);
  }
};
