import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import type pg from 'pg';
import { createTestBench } from '../testing/test-bench.ts';

const surface = defineSurface(defineContract('status', {}), {
  schedules: { buryThings: { everySeconds: 1, whenDue: true } },
});
const FIRST_DUE = 'SELECT min(created_at) FROM messaging.dead_letters';
/** Any row of a table of moments would do. */
const add = (inMs: number) => `
  INSERT INTO messaging.dead_letters (kind, source, message_id, payload, reason, attempts, created_at)
  VALUES ('event', 'evt.a', gen_random_uuid(), '{}', '', 1, clock_timestamp() + ${inMs} * interval '1 ms')`;
const TAKE = 'DELETE FROM messaging.dead_letters WHERE created_at <= clock_timestamp()';
/** Longer than a poll after what a service has saved, and shorter than an idle pause. A busy machine gets more tries. */
const SOON_MS = 2_000;

describe('a schedule that runs when rows are due', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  const start = async (handler: (db: pg.Pool) => Promise<unknown>, databaseUrl?: string) => {
    const runs: number[] = [];
    const service = await bench.start({
      surface,
      handlers: {
        schedules: {
          buryThings: async () => {
            runs.push(performance.now());
            await handler(service.kit.db);
          },
        },
      },
      dueQueries: { buryThings: FIRST_DUE },
      natsUrl: sharedNatsUrl(),
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });
    return { service, runs };
  };
  const take = (db: pg.Pool) => db.query(TAKE);

  it('runs soon after the service has saved what is due, however long it was idle', async () => {
    const { service, runs } = await start(take);
    await eventually(async () => {
      await untilAtRest();
      runs.length = 0;
      const savedAt = performance.now();
      await service.kit.db.query(add(0));
      await eventually(() => expect(runs).toHaveLength(1));
      expect((runs[0] ?? 0) - savedAt).toBeLessThan(SOON_MS);
    });
  });

  it('runs when the moment has come that was known, and not before', async () => {
    const { service, runs } = await start(take);
    const savedAt = performance.now();
    await service.kit.db.query(add(3_000));
    await eventually(() => expect(runs).toHaveLength(1));
    expect((runs[0] ?? 0) - savedAt).toBeGreaterThan(2_900);
  });

  it('runs soon on another instance for what one has saved and did not live to do', async () => {
    const { url } = await bench.database();
    const { service: dying } = await start(() => Promise.reject(new Error('it never does')), url);
    const { runs } = await start(take, url);
    await eventually(async () => {
      await untilAtRest();
      runs.length = 0;
      const savedAt = performance.now();
      await dying.kit.db.query(add(0));
      await eventually(() => expect(runs.length).toBeGreaterThan(0));
      expect((runs[0] ?? 0) - savedAt).toBeLessThan(SOON_MS);
    });
  });

  it('runs again a period later if it has failed', async () => {
    const { service, runs } = await start(() => Promise.reject(new Error('not today')));
    await service.kit.db.query(add(0));
    await eventually(() => expect(runs.length).toBeGreaterThanOrEqual(3));
    expect((runs[2] ?? 0) - (runs[0] ?? 0)).toBeGreaterThan(1_900);
  });

  it('finds what was written past all services', async () => {
    const { service, runs } = await start(take);
    await untilAtRest();
    await service.sql(add(0));
    await eventually(() => expect(runs).toHaveLength(1));
  });
});

/** Its first poll and the first pause are over. */
const untilAtRest = () => new Promise((resolve) => setTimeout(resolve, 1_500));
