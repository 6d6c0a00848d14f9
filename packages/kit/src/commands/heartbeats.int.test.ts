import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench } from '../testing/test-bench.ts';

/** Whoever waits for the time of a command meets the deadline of the test. */
const AN_HOUR_MS = 3_600_000;

const numbers = z.object({ n: z.number() });
const status = defineContract('status', {
  commands: { getDouble: { request: numbers, reply: numbers, timeoutMs: AN_HOUR_MS } },
});
const double = status.getDouble;
const callee = defineSurface(status);
const caller = defineSurface(defineContract('archiver', {}), { calls: [double] });

type Doubling = (request: { n: number }) => Promise<{ n: number }>;
const twice: Doubling = async ({ n }) => ({ n: n * 2 });
const context = { requestId: 'req-1', accountId: 'acc-1', signal: new AbortController().signal };

describe('a command in the hands of a process', () => {
  const bench = createTestBench();
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(async () => {
    await bench.dropKept();
    await nats?.stop();
  });

  const start = async (getDouble: Doubling) => {
    const natsUrl = nats.servers;
    // Commands save nothing.
    const [status, archiver] = [await bench.keptUrl('status'), await bench.keptUrl('archiver')];
    const handlers = { commands: { getDouble } };
    await bench.start({ surface: callee, handlers, natsUrl, databaseUrl: status });
    return bench.start({ surface: caller, handlers: {}, natsUrl, databaseUrl: archiver });
  };

  it('is answered by another process soon after the one that had it died, if it may be repeated', async () => {
    const { kit } = await start(twice);
    const dying = await connect({ servers: nats.servers });
    let swallowed = false;
    dying.subscribe(double.subject, {
      queue: 'status',
      callback: () => {
        swallowed = true;
        void dying.close();
      },
    });
    await dying.flush();
    await eventually(async () => {
      expect(await kit.call(double, { n: 4 }, context)).toEqual({ n: 8 });
      expect(swallowed).toBe(true);
    });
  });

  it('sends heartbeats while it is at work', async () => {
    const gate = Promise.withResolvers<void>();
    await start(async (request) => {
      await gate.promise;
      return twice(request);
    });
    const connection = await connect({ servers: nats.servers });
    const received: string[] = [];
    connection.subscribe('caller', { callback: (_, message) => void received.push(message.string()) });
    connection.publish(double.subject, '{"n":2}', { reply: 'caller' });
    await eventually(() => expect(received).toEqual(expect.arrayContaining(['', ''])));
    gate.resolve();
    await eventually(() => expect(received.at(-1)).toBe('{"n":4}'));
    await connection.close();
  });
});
