import { once } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { crashPoints } from '@tds/messaging/internals';
import { eventually } from '@tds/test-kit';
import { startWorkerBench } from '../test-support/worker-bench.ts';

/** The crash points that one database and broker go through, one process after the other: the next one follows the dead one. */
const DEATHS = 4;
/** What the process handles at a point, by the point's beginning. Events leave in batches, whatever wrote them. */
const handled: Readonly<Record<string, string>> = {
  ...{ transaction: ':do-work', task: ':do-work', event: ':thing-happened', position: ':thing-happened' },
  ...{ schedule: ':tick', relay: '' },
};
const placeOf = (point: string): string => `${point}${handled[point.split('-')[0] ?? '']}`;
const deaths = Array.from({ length: Math.ceil(crashPoints.length / DEATHS) }, (_, group) => {
  const points = crashPoints.slice(group * DEATHS, (group + 1) * DEATHS);
  return [points.join(', '), points] as const;
});

// They mostly wait: for processes to start, and for the leases of the dead. So some of them run at the same time, and share processors: on a
// busy machine each has the time of all.
jest.setTimeout(900_000);
describe('a service whose process', () => {
  it.concurrent.each(deaths)('is killed at %s does everything once', async (_names, points) => {
    await using bench = await startWorkerBench();
    const { admin, effects } = bench;
    const keys = points.flatMap((point) => [`a ${point}`, `b ${point}`]).toSorted();
    for (const point of points) {
      await bench.enqueue({ key: `a ${point}` });
      await bench.enqueue({ key: `b ${point}`, failures: 1 });
      await bench.untilKilled(placeOf(point));
    }
    bench.launch();
    const all = async (kind: string) => (await effects(kind)).toSorted();
    await eventually(async () => expect(await all('handled')).toEqual(keys));
    expect(await all('worked')).toEqual(keys);
    await eventually(async () => expect(await all('followed')).toEqual(keys));
    const ticks = (await effects('ticked')).length;
    await eventually(async () => expect((await effects('ticked')).length).toBeGreaterThan(ticks));
    expect(await all('handled')).toEqual(keys);
    expect(await all('followed')).toEqual(keys);
    const { rows } = await admin.query(`SELECT FROM messaging.tasks WHERE state <> 'done'`);
    expect(rows).toEqual([]);
  });

  it.concurrent('dies in every call of a third party calls no more often than the task has attempts', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects, untilKilled } = bench;
    await bench.enqueue({ key: 'a' }, 'call-stranger');
    await untilKilled();
    await untilKilled();
    bench.launch();
    await eventually(async () => {
      const { rows } = await admin.query('SELECT source, reason FROM messaging.dead_letters');
      expect(rows).toMatchObject([
        { source: 'call-stranger', reason: expect.stringContaining('all 2 attempts have begun') },
      ]);
    });
    expect(await effects('called')).toEqual(['a', 'a']);
  });

  it.concurrent('is killed repeatedly by one of its tasks completes the others, and that one when it kills no more', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects, untilKilled } = bench;
    const innocent = ['a', 'b'];
    for (const key of innocent) await bench.enqueue({ key, slowMs: 1_000 });
    await admin.query(`SELECT messaging.enqueue_task('poison', '{"key": "p", "kills": 3, "beside": 2}')`);
    await untilKilled();
    await untilKilled();
    await untilKilled();
    bench.launch();
    await eventually(async () => expect(await effects('survived')).toEqual(['p']));
    await eventually(async () => expect(await effects('worked')).toEqual(innocent));
    // No task has lost more attempts than processes that the test killed.
    const { rows } = await admin.query(
      `SELECT max(attempts) AS most, max(attempts) FILTER (WHERE name = 'poison') AS poison FROM messaging.tasks`,
    );
    expect(rows).toEqual([{ most: 4, poison: 4 }]);
  });

  it.concurrent('is killed by each attempt of one of its tasks gives that one up, and completes the others', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects, untilKilled } = bench;
    const innocent = ['a', 'b'];
    for (const key of innocent) await bench.enqueue({ key, slowMs: 1_000 });
    await admin.query(`SELECT messaging.enqueue_task('poison', '{"key": "p", "kills": 9, "beside": 2}')`);
    for (let death = 0; death < 4; death += 1) await untilKilled();
    bench.launch();
    await eventually(async () => expect(await effects('worked')).toEqual(innocent));
    await eventually(async () =>
      expect((await admin.query('SELECT source FROM messaging.dead_letters')).rows).toEqual([
        { source: 'poison' },
      ]),
    );
    expect(await effects('killed')).toHaveLength(4);
  });

  it.concurrent('is killed twice during long tasks begins all of these again, and short tasks do not wait for them', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects } = bench;
    const long = ['a', 'b', 'c'];
    const begun = async () => (await effects('begun')).filter((key) => long.includes(key)).length;
    for (const key of long) await bench.enqueue({ key, isHeld: true });
    for (const times of [1, 2]) {
      const child = bench.launch();
      await eventually(async () => expect(await begun()).toBe(times * long.length));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await bench.enqueue({ key: 'short' });
    bench.launch();
    await eventually(async () => expect(await effects('worked')).toEqual(['short']));
    await eventually(async () => expect(await begun()).toBe(3 * long.length));
    await admin.query(`INSERT INTO effects (kind, key) VALUES ('go', '')`);
    await eventually(async () => expect(await effects('worked')).toEqual([...long, 'short']));
  });

  it.concurrent('is frozen past its lease changes nothing when it wakes up', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects } = bench;
    await bench.enqueue({ key: 'a', isHeld: true });
    const frozen = bench.launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    frozen.kill('SIGSTOP');
    await admin.query(`INSERT INTO effects (kind, key) VALUES ('go', 'a')`);
    bench.launch();
    await eventually(async () => expect(await effects('worked')).toEqual(['a']));
    frozen.kill('SIGCONT');
    await eventually(async () => expect(await effects('lease-lost')).toEqual(['a']));
    await eventually(async () => expect(await effects('handled')).toEqual(['a']));
    expect(await effects('worked')).toEqual(['a']);
  });

  it.concurrent('is asked to stop finishes its work in hand and exits in order', async () => {
    await using bench = await startWorkerBench();
    const { effects } = bench;
    await bench.enqueue({ key: 'a', slowMs: 500 });
    const child = bench.launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await effects('worked')).toEqual(['a']);
  });

  it.concurrent('is asked twice to stop exits at once', async () => {
    await using bench = await startWorkerBench();
    const { effects } = bench;
    await bench.enqueue({ key: 'a', slowMs: 60_000 });
    const child = bench.launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    child.kill('SIGTERM');
    await eventually(async () => {
      child.kill('SIGTERM');
      expect(child.exitCode).toBe(1);
    });
  });

  it.concurrent('loses all its database connections at once continues when the database is back', async () => {
    await using bench = await startWorkerBench();
    const { admin, effects } = bench;
    const child = bench.launch();
    for (let n = 0; n < 10; n += 1) await bench.enqueue({ key: `k${n}`, slowMs: 100 });
    const cut = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'messaging_app'`,
      );
    await eventually(async () => expect((await effects('begun')).length).toBeGreaterThan(0));
    for (let n = 0; n < 10; n += 1) {
      await cut();
      await admin.query('SELECT pg_sleep(0.1)');
    }
    await eventually(async () => expect(await effects('handled')).toHaveLength(10));
    expect(await effects('worked')).toHaveLength(10);
    expect(child.exitCode).toBeNull();
  });
});
