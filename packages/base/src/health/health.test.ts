import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createInstruments } from '../telemetry/instruments.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import {
  type Check,
  type HealthOptions,
  type HealthServer,
  startHealthServer,
  watchEventLoop,
} from './health.ts';

const running: HealthServer[] = [];
const loop = watchEventLoop(150);
afterAll(loop.stop);

const start = async (given: Partial<HealthOptions> = {}) => {
  const checks = new Map<string, Check>();
  const server = await startHealthServer({
    port: 0,
    checks,
    metrics: createInstruments(createMetrics('search', { processMetrics: false })),
    isStopping: () => false,
    loop,
    ...given,
  });
  running.push(server);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, body: await response.text() };
  };
  const ready = async () => {
    const { status, body } = await ask('/ready');
    return { status, ...(JSON.parse(body) as { ready: boolean; checks: Record<string, string> }) };
  };
  return { server, checks, ask, ready };
};

const holdTheLoop = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

describe('/live', () => {
  it('is 200 while the event loop turns', async () => {
    const { ask } = await start();
    expect(await ask('/live')).toEqual({ status: 200, body: '{"live":true}\n' });
  });

  it('is 503 after a stall longer than the limit, and 200 again once the loop has turned as long', async () => {
    const { ask } = await start({ stallLimitMs: 300 });
    holdTheLoop(700);
    const stalled = await ask('/live');
    expect(stalled.status).toBe(503);
    expect(JSON.parse(stalled.body).stalledMs).toBeGreaterThan(300);
    await eventually(async () => expect((await ask('/live')).status).toBe(200));
  });

  it('a stall within the limit is no failure', async () => {
    const { ask } = await start({ stallLimitMs: 2_000 });
    holdTheLoop(300);
    expect((await ask('/live')).status).toBe(200);
  });
});

describe('/ready', () => {
  it('names each check and what is wrong with it; checks may be added later', async () => {
    const { checks, ready } = await start();
    expect(await ready()).toMatchObject({ status: 200, ready: true, checks: {} });
    checks.set('postgres', async () => {});
    checks.set('broker', () => {});
    expect(await ready()).toMatchObject({
      status: 200,
      ready: true,
      checks: { postgres: 'ok', broker: 'ok' },
    });
    checks.set('redis', async () => {
      throw new Error('connect ECONNREFUSED redis://:hunter2@localhost:6379');
    });
    checks.set('objects', () => {
      throw new Error('');
    });
    expect(await ready()).toMatchObject({
      status: 503,
      ready: false,
      checks: {
        postgres: 'ok',
        redis: 'connect ECONNREFUSED redis://[redacted]@localhost:6379',
        objects: 'failed',
      },
    });
  });

  it('checks run side by side', async () => {
    const { checks, ready } = await start({ checkTimeoutMs: 3_600_000 });
    const all = Promise.withResolvers<void>();
    let begun = 0;
    const untilAllHaveBegun = () => {
      begun += 1;
      if (begun === 5) all.resolve();
      return all.promise;
    };
    for (const name of ['a', 'b', 'c', 'd', 'e']) checks.set(name, untilAllHaveBegun);
    expect(await ready()).toMatchObject({ status: 200 });
  });

  it('a check that hangs costs only its time limit', async () => {
    const { checks, ready } = await start({ checkTimeoutMs: 200 });
    checks.set('a', () => new Promise<void>(() => {}));
    const late = Promise.withResolvers<void>();
    checks.set('late', () => late.promise);
    expect(await ready()).toMatchObject({ status: 503, checks: { a: 'no answer within 200 ms' } });
    // What fails after its time was up must not end the process.
    late.reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('is 503 while the service stops, though every part is well', async () => {
    let isStopping = false;
    const { checks, ready } = await start({ isStopping: () => isStopping });
    checks.set('postgres', async () => {});
    expect((await ready()).status).toBe(200);
    isStopping = true;
    expect(await ready()).toMatchObject({
      status: 503,
      ready: false,
      stopping: true,
      checks: { postgres: 'ok' },
    });
  });
});

describe('the private port', () => {
  it('gives the metrics as Prometheus text', async () => {
    const { ask } = await start();
    const { status, body } = await ask('/metrics');
    expect(status).toBe(200);
    expect(body).toContain('# TYPE tds_command_duration_seconds histogram');
  });

  it('gives nothing else, and takes nothing', async () => {
    const { ask } = await start();
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/ready', { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('a port that is taken is an error, not a silent second choice', async () => {
    const { server } = await start();
    await expect(start({ port: server.port })).rejects.toThrow('EADDRINUSE');
  });

  it('close ends connections that are kept alive', async () => {
    const { server, ask } = await start();
    await ask('/live');
    await server.close();
    await expect(ask('/live')).rejects.toThrow();
  });
});
