import fc from 'fast-check';
import { createJob, read } from './activities.ts';
import { waiveRead } from './fetcher.ts';
import { checkInvariant } from './invariant.ts';
import { cancel, pauseForKey, retry } from './jobs.ts';
import { ACCOUNTS, type Job, type Key, VIDEOS } from './state.ts';
import { drain, pick, start, steps } from './steps.ts';
import type { DatabaseName, World } from './world.ts';

export type Action = { readonly kind: string; readonly a: number; readonly b: number };
type ActionArguments = {
  readonly a: number;
  readonly b: number;
  readonly account: string;
  readonly key?: Key | undefined;
  readonly job?: Job | undefined;
};

/** Databases that random sequences restore; `scenarios.ts` restores the fetcher's. */
const databases: readonly DatabaseName[] = ['ledger', 'jobs'];
const videosOf = (a: number, b: number): number[] =>
  Array.from({ length: 1 + (a % 6) }, (_, n) => (b + n * (1 + (a % 3))) % VIDEOS);

const revoke = (world: World, key: Key): void => {
  key.phase = 'revoked';
  for (const job of world.db.jobs.jobs.values()) if (job.key === key.id) pauseForKey(world, job);
};

/** Actions of customers, machines and money. */
const actions: Record<string, { weight: number; act: (world: World, given: ActionArguments) => void }> = {
  step: { weight: 90, act: (world, { a, b }) => steps[b % steps.length]?.(world, a) },
  create: {
    weight: 5,
    act: (world, { a, b, key }) => key && start(world, createJob(world, key, a % 40, videosOf(a, b))),
  },
  cancel: { weight: 3, act: (world, { job }) => job && cancel(world, job) },
  retry: { weight: 3, act: (world, { job, key }) => job && key && retry(world, job, key) },
  read: { weight: 4, act: (world, { b, key }) => key && start(world, read(world, key, b % VIDEOS)) },
  fault: {
    weight: 1,
    act: (world, { b }) => {
      const row = pick(
        [...world.db.fetcher.rows.values()].filter(({ batch }) => batch === null),
        b,
      );
      if (row && !row.isWaived) waiveRead(world, row);
    },
  },
  newKey: {
    weight: 2,
    act: (world, { b, account }) => world.newKey(account, b % 3 === 0 ? 1 + (b % 5) : null),
  },
  deleteKey: { weight: 1, act: (world, { key }) => key && revoke(world, key) },
  rotateKey: { weight: 1, act: (world, { key }) => key && world.rotate(key) },
  cap: {
    weight: 1,
    act: (_world, { b, key }) => key && Object.assign(key, { cap: b % 2 ? 1 + (b % 6) : null }),
  },
  grant: { weight: 2, act: (world, { account }) => world.grant(account) },
  midnight: { weight: 2, act: (world) => world.goToMidnight() },
  drain: {
    weight: 2,
    act: (world, { b }) => {
      drain(world, 1 + (b % 3));
      checkInvariant(world);
    },
  },
  copy: { weight: 4, act: (world, { a }) => world.copy(databases[a % 2] as DatabaseName) },
  putBack: { weight: 2, act: (world, { a }) => world.putBack(databases[a % 2] as DatabaseName) },
};

export const act = (world: World, { kind, a, b }: Action): void => {
  const account = ACCOUNTS[a % 4 === 0 ? 1 : 0];
  const active = world.keys.filter((key) => key.account === account && key.phase === 'active');
  const jobs = [...world.db.jobs.jobs.values()].filter((job) => job.account === account);
  world.clock += 1_000;
  actions[kind]?.act(world, { a, b, account, key: pick(active, b), job: pick(jobs, b) });
};

const ofRestores = new Set(['copy', 'putBack']);

/** Random sequences of actions, with or without restores. */
export const sequences = (hasRestores: boolean): fc.Arbitrary<Action[]> => {
  const kinds = Object.entries(actions).filter(([kind]) => hasRestores || !ofRestores.has(kind));
  const kind = fc.oneof(...kinds.map(([name, { weight }]) => ({ weight, arbitrary: fc.constant(name) })));
  const action = fc.record({ kind, a: fc.nat(999), b: fc.nat(999) });
  return fc.array(action, { minLength: 20, maxLength: 300, size: 'max' });
};
