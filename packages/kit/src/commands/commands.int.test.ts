import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { createDeadline } from '@tds/base';
import { defineContract, defineSurface } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench } from '../testing/test-bench.ts';
import { hasBegunNothing } from './call.ts';

/** Whoever waits for the time of a command meets the deadline of the test. */
const AN_HOUR_MS = 3_600_000;

const status = defineContract('status', {
  commands: {
    doubleNumber: {
      request: z.object({ n: z.number() }),
      reply: z.object({ n: z.number() }),
      timeoutMs: AN_HOUR_MS,
    },
  },
});
const search = defineContract('search', {
  commands: { answerNothing: { request: z.object({}), reply: z.object({}), timeoutMs: AN_HOUR_MS } },
});
const double = status.doubleNumber;
const nobodysCommand = search.answerNothing;

const callee = defineSurface(status);
const caller = defineSurface(defineContract('archiver', {}), { calls: [double, nobodysCommand] });

type Doubling = (request: { n: number }, context: Context) => Promise<{ n: number }>;
const twice: Doubling = async ({ n }) => ({ n: n * 2 });
const context = (signal: AbortSignal = new AbortController().signal) => ({
  requestId: 'req-1',
  accountId: 'acc-1',
  signal,
});

const failureOf = async (promise: Promise<unknown>): Promise<ServiceError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a ServiceError, got ${error}`);
};

/** Far less than the command may take, and far more than a busy machine needs. */

/** As SIGSTOP, swap or a long computation would have it. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('commands', () => {
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

  const startBoth = async (handler: Doubling, environment: NodeJS.ProcessEnv = {}) => {
    const natsUrl = nats.servers;
    const answering = await bench.start({
      surface: callee,
      handlers: { commands: { doubleNumber: handler } },
      natsUrl,
      // Commands save nothing.
      databaseUrl: await bench.keptUrl('status'),
      environment,
    });
    const databaseUrl = await bench.keptUrl('archiver');
    const { kit } = await bench.start({ surface: caller, handlers: {}, natsUrl, databaseUrl });
    return { kit, answering };
  };

  it('brings the answer back and the ids along', async () => {
    let seen: Context | undefined;
    const { kit } = await startBoth(async (request, given) => {
      seen = given;
      return twice(request, given);
    });
    expect(await kit.call(double, { n: 21 }, context())).toEqual({ n: 42 });
    expect(seen).toMatchObject({ requestId: 'req-1', accountId: 'acc-1' });
  });

  it('begins nothing for a caller who gave up while the process stood still', async () => {
    let begun = 0;
    const { kit } = await startBoth(async (request, given) => {
      begun += 1;
      return twice(request, given);
    });
    const impatient = await connect({ servers: nats.servers });
    const given = headers();
    given.set('X-Deadline-Ms', '500');
    nats.pause();
    const answer = impatient.request(double.subject, '{"n":1}', { timeout: 8_000, headers: given });
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The broker, a process of its own, delivers the command while this one stands still.
    nats.resume();
    standStill(2_500);
    expect((await answer).headers?.get('Nats-Service-Error-Code')).toBe('503');
    expect(begun).toBe(0);
    await impatient.close();
    await eventually(async () => expect(await kit.call(double, { n: 2 }, context())).toEqual({ n: 4 }));
  });

  it('brings a typed error back as the same error, with its extras', async () => {
    const extras = { required: 2, available: 1, shortfall: 1, buy_url: 'https://example.test/buy' };
    const { kit } = await startBoth(() => Promise.reject(serviceError('insufficient_credits', { extras })));
    const error = await failureOf(kit.call(double, { n: 1 }, context()));
    expect(error.data).toEqual(serviceError('insufficient_credits', { extras }).data);
  });

  it('never shows a caller an unforeseen error', async () => {
    const { kit } = await startBoth(() => Promise.reject(new Error('password of the database is hunter2')));
    const error = await failureOf(kit.call(double, { n: 1 }, context()));
    expect(error.code).toBe('unexpected_error');
    expect(JSON.stringify(error.data)).not.toContain('hunter2');
  });

  it('refuses a request that the contract does not know', async () => {
    const { kit } = await startBoth(twice);
    const error = await failureOf(kit.call(double, { n: 'two' } as never, context()));
    expect(error.code).toBe('unexpected_error');
  });

  it('strips from a reply what the contract does not name', async () => {
    const { kit } = await startBoth(async ({ n }) => ({ n, secret: 'x' }));
    expect(await kit.call(double, { n: 1 }, context())).toEqual({ n: 1 });
  });

  it('ends with the nearer deadline, on both sides', async () => {
    const ended = Promise.withResolvers<void>();
    const { kit } = await startBoth((_request, { signal }) => {
      signal.addEventListener('abort', () => ended.resolve());
      return new Promise(() => {});
    });
    const deadline = createDeadline(200);
    const error = await failureOf(kit.call(double, { n: 1 }, context(deadline.signal)));
    expect(error.code).toBe('service_unavailable');
    await ended.promise;
  });

  it('fails with service_unavailable at once if no service answers', async () => {
    const { kit } = await startBoth(twice);
    const error = await failureOf(kit.call(nobodysCommand, {}, context()));
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(error.data.retryAfterSeconds).toBe(1);
  });

  it('says that nothing was begun if no service received it or it was refused unread, and never after a handler had it', async () => {
    const gate = Promise.withResolvers<void>();
    const { kit } = await startBoth(
      async () => {
        await gate.promise;
        throw serviceError('service_unavailable', { nothingBegun: true });
      },
      { MAX_COMMANDS_IN_FLIGHT: '1' },
    );
    expect(hasBegunNothing(await failureOf(kit.call(nobodysCommand, {}, context())))).toBe(true);
    const calls = [1, 2].map((n) => failureOf(kit.call(double, { n }, context())));
    expect(hasBegunNothing(await Promise.race(calls))).toBe(true);
    gate.resolve();
    const failures = await Promise.all(calls);
    expect(failures.map(hasBegunNothing).toSorted()).toEqual([false, true]);
    const unsent = await failureOf(kit.call(double, { n: 1 }, context(AbortSignal.abort(new Error('late')))));
    expect(hasBegunNothing(unsent)).toBe(true);
  });

  it('answers 2000 calls at once', async () => {
    const { kit } = await startBoth(twice, { MAX_COMMANDS_IN_FLIGHT: '5000' });
    const answers = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => kit.call(double, { n }, context())),
    );
    expect(answers).toEqual(Array.from({ length: 2_000 }, (_, n) => ({ n: n * 2 })));
  });

  it('refuses quickly what is beyond its limit, and serves what is not', async () => {
    const gate = Promise.withResolvers<void>();
    const { kit } = await startBoth(
      async (request, given) => {
        await gate.promise;
        return twice(request, given);
      },
      { MAX_COMMANDS_IN_FLIGHT: '2' },
    );
    const calls = Array.from({ length: 5 }, (_, n) => kit.call(double, { n }, context()));
    const refused = await Promise.race(calls.map((call) => failureOf(call)));
    expect(refused.code).toBe('service_unavailable');
    gate.resolve();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('finishes a command in hand when it stops, and takes no other', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { kit, answering } = await startBoth(async (request, given) => {
      begun.resolve();
      await gate.promise;
      return twice(request, given);
    });
    const call = kit.call(double, { n: 4 }, context());
    await begun.promise;
    const stopped = answering.stop();
    const late = await eventually(() =>
      failureOf(kit.call(double, { n: 1 }, context(createDeadline(100).signal))),
    );
    expect(late.code).toBe('service_unavailable');
    gate.resolve();
    expect(await call).toEqual({ n: 8 });
    await stopped;
  });

  it('fails calls soon when the broker is gone, and works again when it is back', async () => {
    const { kit } = await startBoth(() => new Promise(() => {}));
    const inFlight = failureOf(kit.call(double, { n: 1 }, context()));
    await nats.kill();
    expect((await failureOf(kit.call(double, { n: 1 }, context()))).code).toBe('service_unavailable');
    expect((await inFlight).code).toBe('service_unavailable');
    await nats.start();
    await eventually(async () => {
      const failure = await failureOf(kit.call(nobodysCommand, {}, context()));
      expect(hasBegunNothing(failure)).toBe(true);
    });
  });
});
