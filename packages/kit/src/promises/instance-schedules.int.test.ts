import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, sharedNatsUrl, sharedRedisUrl } from '@tds/test-kit';
import { startService } from '../run/run-service.ts';
import { createTestBench } from '../testing/test-bench.ts';

const surface = defineSurface(defineContract('status', {}), {
  schedules: { checkDisk: { everySeconds: 0.05, onEveryInstance: true }, sweep: { everySeconds: 3_600 } },
});

describe('a schedule of every instance', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  const start = (databaseUrl: string, schedules: Record<'checkDisk' | 'sweep', () => Promise<void>>) =>
    bench.start({ surface, handlers: { schedules }, natsUrl: sharedNatsUrl(), databaseUrl });

  it('runs on each of two, while the others run on one of them', async () => {
    const { url } = await bench.database();
    const runs: [number, number] = [0, 0];
    const sweeps: number[] = [];
    const handlersOf = (instance: 0 | 1) => ({
      checkDisk: async () => {
        runs[instance] += 1;
      },
      sweep: async () => void sweeps.push(instance),
    });
    await Promise.all([start(url, handlersOf(0)), start(url, handlersOf(1))]);
    await eventually(() => expect(Math.min(...runs)).toBeGreaterThan(2));
    await eventually(() => expect(sweeps).toHaveLength(1));
  });

  it('runs again after an error, and one run at a time', async () => {
    const { url } = await bench.database();
    let running = 0;
    let most = 0;
    let runs = 0;
    const checkDisk = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 150));
      running -= 1;
      runs += 1;
      throw new Error('not today');
    };
    await start(url, { checkDisk, sweep: async () => {} });
    await eventually(() => expect(runs).toBeGreaterThan(2));
    expect(most).toBe(1);
  });

  it('needs no database, and ends with its service', async () => {
    const withoutRows = defineSurface(defineContract('status', {}), {
      schedules: { checkDisk: { everySeconds: 0.01, onEveryInstance: true } },
    });
    const environment = {
      NATS_URL: sharedNatsUrl(),
      REDIS_URL: await sharedRedisUrl(),
      LOG_LEVEL: 'silent',
    };
    const counting = () => {
      const counted = { runs: 0 };
      const checkDisk = async () => {
        counted.runs += 1;
      };
      const handlers = {
        commands: {},
        tasks: {},
        subscriptions: {},
        broadcasts: {},
        schedules: { checkDisk },
      };
      const service = { surface: withoutRows, start: async () => handlers };
      return { counted, starting: startService(service, environment, { processMetrics: false }) };
    };
    const [first, second] = [counting(), counting()];
    await eventually(() => expect(first.counted.runs).toBeGreaterThan(2));
    await (await first.starting).stop();
    const atTheEnd = first.counted.runs;
    const soFar = second.counted.runs;
    await eventually(() => expect(second.counted.runs).toBeGreaterThan(soFar + 10));
    expect(first.counted.runs).toBe(atTheEnd);
    await (await second.starting).stop();
  });
});
