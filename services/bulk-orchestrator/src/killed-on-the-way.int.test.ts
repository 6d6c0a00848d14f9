import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { passLeases } from '@tds/service-kit/testing';
import { eventually, processEnvironment } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failedWith } from './test-support/fake-fetcher.ts';
import { codeOf, listingOf, startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
const ROWS = 8;

let jobs: TestJobs;
const children: ChildProcess[] = [];
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000, limits: { abandonedMs: 100 } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await jobs?.stop();
});
afterEach(() => jobs.startService());

/** The service as a process of its own, which dies where it is told to. */
const launch = (crashAt: string): ChildProcess => {
  const env = {
    ...{ ...processEnvironment(), HEALTH_PORT: '0', NODE_ENV: 'test', CRASH_AT: crashAt },
    ...jobs.harness.environmentOf('bulk-orchestrator'),
  };
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
  children.push(child);
  return child;
};

/** Does it until the process that dies is dead; what it answers before that does not count. */
const untilDead = (dying: ChildProcess, work: () => Promise<unknown>): Promise<void> =>
  eventually(
    async () => {
      await codeOf(work());
      expect(dying.signalCode).toBe('SIGKILL');
    },
    { everyMs: 50 },
  );

/** In the place of the dead one, with the clock that it had, when the leases of that have run out. */
const startAgain = async (): Promise<void> => {
  await passLeases(jobs.harness.databases['bulk-orchestrator']);
  jobs.clock.set(new Date(Date.now() + 2_000));
  await jobs.startService();
};
const chargedFor = (id: string) =>
  jobs.ledger.ofJob(id).reduce((sum, [, { charged }]) => sum + charged.size, 0);

const IN_CREATION = ['job-inserted', 'job-reserved', 'job-accepting', 'job-accepted'];
const WHILE_RUNNING = [
  ...['job-rows-claimed', 'job-rows-fetched', 'job-rows-settled', 'job-rows-saved'],
  ...['job-released', 'job-finished', 'transaction-committed', 'task-completed'],
];

describe('a job whose process is killed', () => {
  it.each([...IN_CREATION, ...WHILE_RUNNING])(
    'at %s is one job, delivered whole and charged exactly',
    async (crashAt) => {
      await jobs.stopService();
      const ids = videoIds(ROWS, crashAt.slice(-8).replaceAll('-', '_'));
      jobs.fetcher.end(ids[0]!, failedWith('no_captions'));
      const given = { source: { videoIds: ids }, idempotencyKey: crashAt };
      const dying = launch(crashAt);
      await untilDead(dying, () => jobs.create(given, 2_000));
      await startAgain();
      const { job } = await eventually(() => jobs.create(given, 10_000));
      const ended = await jobs.reach(job.id, 'completed');
      expect(ended.counts).toMatchObject({ total: ROWS, fetched: ROWS - 1, error: 1 });
      expect(chargedFor(job.id)).toBe(ROWS - 1);
      await eventually(() => expect(jobs.ledger.held()).toBe(0));
      expect(jobs.fetcher.fetched.filter((id) => ids.includes(id))).toHaveLength(ROWS - 1);
      const all = await jobs.kit().db.query('SELECT id FROM jobs WHERE idempotency_key = $1', [crashAt]);
      expect(all.rows).toHaveLength(1);
    },
  );

  it.each(['transaction-committed', 'job-closing', 'task-completed'])(
    'at %s while it is cancelled holds nothing, and is charged for what it says',
    async (crashAt) => {
      const ids = videoIds(ROWS, `c${crashAt.slice(-6).replaceAll('-', '_')}`);
      for (const id of ids.slice(3)) jobs.fetcher.hold(id);
      const { job } = await jobs.create({ source: { videoIds: ids } });
      await eventually(async () => expect((await jobs.get(job.id)).counts.fetched).toBe(3));
      await jobs.stopService();
      const dying = launch(crashAt);
      await untilDead(dying, () => jobs.cancel(job.id));
      await startAgain();
      await eventually(() => jobs.cancel(job.id));
      const closed = await eventually(async () => {
        const now = await jobs.get(job.id);
        expect(now).toMatchObject({
          status: 'cancelled',
          counts: { processing: 0 },
          credits: { reserved: 0 },
        });
        return now;
      });
      expect(closed.counts).toMatchObject({ fetched: 3, cancelled: ROWS - 3 });
      expect(chargedFor(job.id)).toBe(3);
      expect(jobs.ledger.ofJob(job.id).map(([, { state }]) => state)).toEqual(['released']);
    },
  );
});

describe('a job whose process is killed when its source has been listed', () => {
  it('is listed again, has its rows once, and holds and charges each of them once', async () => {
    const ids = videoIds(ROWS, 'listed');
    let asked = 0;
    jobs.finder.commands.listVideos = async () => {
      asked += 1;
      if (asked === 1) return { state: 'pending' };
      return listingOf(ids);
    };
    await jobs.stopService();
    const dying = launch('job-listed');
    const given = { source: { input: 'https://example.com/listed' }, idempotencyKey: 'listed' };
    await untilDead(dying, () => jobs.create(given, 2_000));
    await startAgain();
    const { job } = await eventually(() => jobs.create(given, 10_000));
    expect(job.status).toBe('enumerating');
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ total: ROWS, fetched: ROWS });
    expect(chargedFor(job.id)).toBe(ROWS);
    expect(jobs.ledger.ofJob(job.id)).toHaveLength(1);
  });
});

describe('a job whose process is killed when a later round is held', () => {
  it('holds it once, and charges each row once', async () => {
    const ids = videoIds(ROWS, 'later_');
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'failed');
    for (const id of ids) jobs.fetcher.deliver(id);
    await jobs.stopService();
    const dying = launch('job-round-reserved');
    await untilDead(dying, () => jobs.retry(job.id));
    expect(jobs.ledger.held()).toBe(ROWS);
    await startAgain();
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended).toMatchObject({ counts: { fetched: ROWS }, credits: { reserved: 0, charged: ROWS } });
    expect([chargedFor(job.id), jobs.ledger.ofJob(job.id).length]).toEqual([ROWS, 2]);
    await eventually(() => expect(jobs.ledger.held()).toBe(0));
  });
});

describe('a worker that was frozen while another one took its job', () => {
  it('can save nothing, and charges nothing that is not owed', async () => {
    const ids = videoIds(4, 'frozen');
    for (const id of ids) jobs.fetcher.hold(id);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await eventually(async () => expect((await jobs.get(job.id)).counts.processing).toBe(4));
    const { db } = jobs.kit();
    // What a second worker does first when the lease of the first has run out.
    await db.query('UPDATE jobs SET runner_id = gen_random_uuid() WHERE id = $1', [job.id]);
    jobs.fetcher.deliver(ids[0]!);
    await eventually(() => expect(chargedFor(job.id)).toBe(1));
    await eventually(async () => {
      const leased = await db.query(
        "SELECT id FROM messaging.tasks WHERE state = 'ready' AND lease_until > now()",
      );
      expect(leased.rows).toEqual([]);
    });
    expect((await jobs.get(job.id)).counts).toMatchObject({ processing: 4, fetched: 0 });
    for (const id of ids) jobs.fetcher.deliver(id);
    jobs.clock.advance(1_000);
    await jobs.passTime(1_000);
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.credits).toEqual({ reserved: 0, charged: 4 });
    expect(chargedFor(job.id)).toBe(4);
  });
});
