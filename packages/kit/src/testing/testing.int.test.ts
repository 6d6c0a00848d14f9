import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import { z } from 'zod';
import { defineService, onCommand, onEvent } from '../define-service.ts';
import type { Kit } from '../service.ts';
import { createCaller, testContext } from './caller.ts';
import { createFake } from './fake.ts';
import { type Harness, startHarness } from './harness.ts';
import { observeService } from './observe-service.ts';

const number = z.object({ n: z.number() });
const neighbour = defineContract('search', {
  commands: {
    findNumber: { request: z.object({}), reply: number },
    failToAnswer: { request: z.object({}), reply: number },
  },
  events: { numberChanged: { payload: number } },
});
const own = defineContract('status', {
  commands: { doubleFound: { request: z.object({}), reply: number } },
  events: { doubled: { payload: number } },
});
const surface = defineSurface(own, {
  calls: [neighbour.findNumber],
  subscriptions: [neighbour.numberChanged],
});

/** Asks its neighbour, and keeps what changes there. */
const service = defineService({
  surface,
  createDeps: (kit: Kit<typeof surface>) => ({ kit }),
  commands: {
    doubleFound: onCommand(
      own.doubleFound,
      async ({ kit }: { kit: Kit<typeof surface> }, _request, context) => {
        const { n } = await kit.call(neighbour.findNumber, {}, context);
        kit.messaging.hint(own.doubled, { n: 2 * n });
        return { n: 2 * n };
      },
    ),
  },
  subscriptions: { numberChanged: onEvent(neighbour.numberChanged, async () => {}) },
});

describe('the harness', () => {
  let harness: Pick<Harness, 'stop'> | undefined;
  afterEach(() => harness?.stop());

  const startAll = async () => {
    const started = await startHarness({ databases: { status: 'messaging', search: 'messaging' } });
    harness = started;
    const under = observeService(service);
    const fake = createFake(neighbour, { findNumber: async () => ({ n: 21 }) });
    const caller = createCaller(own, own.doubled);
    await Promise.all([under.service, fake.service, caller.service].map((each) => started.start(each)));
    return { started, under, fake, caller };
  };

  it('runs a service between a caller and a fake, over a real broker', async () => {
    const { fake, caller } = await startAll();
    const context = testContext({ requestId: 'r1' });
    expect(await caller.call(own.doubleFound, {}, context)).toEqual({ n: 42 });
    expect(fake.requests).toEqual([{ name: 'findNumber', request: {} }]);
    await eventually(() => expect(caller.received(own.doubled)).toEqual([{ n: 42 }]));
  });

  it('lets a test change what a fake answers while it runs, and leaves unscripted commands without a receiver', async () => {
    const { fake, caller, under } = await startAll();
    fake.commands.findNumber = async () => {
      throw serviceError('account_frozen');
    };
    await expect(caller.call(own.doubleFound, {}, testContext())).rejects.toMatchObject({
      code: 'account_frozen',
    });
    const call = under.kit().call as (...given: unknown[]) => Promise<unknown>;
    await expect(call(neighbour.failToAnswer, {}, testContext())).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('brings the events of a fake to the service, which keeps what it handled', async () => {
    const { fake, under } = await startAll();
    await fake.emit(neighbour.numberChanged, { n: 7 });
    await eventually(() => expect(under.handled(neighbour.numberChanged)).toEqual([{ n: 7 }]));
  });

  it('gives each service the database of its name, and nothing to those that have none', async () => {
    const { started } = await startAll();
    const { databases, environmentOf } = started;
    expect(environmentOf('status').DATABASE_URL).toBe(databases.status.url);
    expect(environmentOf('search').DATABASE_URL).toBe(databases.search.url);
    expect(environmentOf('gateway')).not.toHaveProperty('DATABASE_URL');
  });
});

describe('parts that have not started', () => {
  it.each([
    ['a caller', () => createCaller(own).kit()],
    ['a fake', () => createFake(neighbour).kit()],
    ['an observed service', () => observeService(service).kit()],
  ])('%s says so', (_what, ask) => {
    expect(ask).toThrow('has not started');
  });
});
