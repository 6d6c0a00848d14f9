import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { z } from 'zod';
import { runSchedule } from '../test-support/run-schedule.ts';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const payload = z.object({ n: z.number() });
/** Emitted by a service whose database stays, and by one whose database goes back. */
const { thingHappened } = defineContract('status', { events: { thingHappened: { payload } } });
const { otherHappened } = defineContract('billing', { events: { otherHappened: { payload } } });
const emitting = (event: typeof thingHappened | typeof otherHappened) =>
  defineSurface(defineContract(event.owner, { events: { [event.name]: event } }));
const hearing = (name: 'archiver' | 'search') =>
  defineSurface(defineContract(name, {}), { subscriptions: [thingHappened, otherHappened] });

describe('emitted events', () => {
  let nats: TestNats;
  const bench = createTestBench();
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const startEmitter = async (event: typeof thingHappened | typeof otherHappened) => {
    const database = await bench.database();
    const surface = emitting(event);
    const service = await bench.start({
      surface,
      handlers: {},
      natsUrl: nats.servers,
      databaseUrl: database.url,
    });
    const emit = async (...numbers: number[]) => {
      for (const n of numbers) await service.sql('SELECT messaging.emit($1, $2)', event.subject, { n });
      service.kit.messaging.wake();
    };
    return { database, service, emit };
  };
  const startSubscriber = async (name: 'archiver' | 'search') => {
    const database = await bench.database();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('CREATE TABLE effects (n int)');
    await owner.end();
    const record = async ({ n }: { n: number }, { once }: ListenerContext): Promise<void> => {
      await service.client.$transaction((tx) =>
        once(tx, async () => void (await tx.$executeRawUnsafe('INSERT INTO effects VALUES ($1)', n))),
      );
    };
    const service: TestService<ReturnType<typeof hearing>> = await bench.start({
      surface: hearing(name),
      handlers: { subscriptions: { thingHappened: record, otherHappened: record } },
      natsUrl: nats.servers,
      databaseUrl: database.url,
    });
    const effects = async () =>
      (await service.sql<{ n: number }>('SELECT n FROM effects ORDER BY n')).map(({ n }) => n);
    return { database, service, effects };
  };
  const handled = (subscriber: { effects(): Promise<number[]> }, ...numbers: number[]) =>
    eventually(async () => expect(await subscriber.effects()).toEqual(numbers));

  /** The store of the broker with all streams and with how far their consumers have come. */
  const store = () => path.resolve(nats.messagesDir('EVT_status'), '../../..');
  const copyStore = async () => {
    await nats.shutDown();
    cpSync(store(), `${store()}.old`, { recursive: true });
    await nats.start();
  };
  const wipe = () => rmSync(store(), { recursive: true });
  const fates = {
    stays: () => {},
    'goes back': () => {
      wipe();
      renameSync(`${store()}.old`, store());
    },
    'is wiped': wipe,
  };

  it.each(['stays', 'goes back', 'is wiped'] as const)(
    'takes effect once, if anybody has it, after databases of both sides went back and the broker %s',
    async (fate) => {
      const [keeps, old] = await Promise.all([startSubscriber('archiver'), startSubscriber('search')]);
      const [stays, forgotten] = await Promise.all([startEmitter(thingHappened), startEmitter(otherHappened)]);
      await stays.emit(1, 2);
      await forgotten.emit(101, 102);
      for (const subscriber of [keeps, old]) await handled(subscriber, 1, 2, 101, 102);
      const databases = [await bench.copyOf(old.database), await bench.copyOf(forgotten.database)];
      await copyStore();
      await stays.emit(3, 4);
      await forgotten.emit(103, 104);
      for (const subscriber of [keeps, old]) await handled(subscriber, 1, 2, 3, 4, 101, 102, 103, 104);
      // Else what a database has lost could be found in the stream before that is lost, too.
      await nats.shutDown();
      for (const database of databases) await database.putBack();
      fates[fate]();
      await nats.start();
      await stays.emit(5, 6);
      await forgotten.emit(105, 106);
      const all = [1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106];
      // No part knows these any more: not their emitter, not the broker, not their subscriber.
      const gone = fate === 'stays' ? [] : [103, 104];
      const converged = async () => {
        await handled(keeps, ...all);
        await handled(old, ...all.filter((n) => !gone.includes(n)));
      };
      await converged();
      for (const { service } of [stays, forgotten]) await runSchedule(service, 'kit-audit-outbox');
      for (const { service } of [keeps, old]) await runSchedule(service, 'kit-find-lost-events');
      const open = `SELECT FROM messaging.tasks WHERE state = 'ready' UNION ALL SELECT FROM messaging.outbox WHERE published_at IS NULL`;
      for (const { service } of [stays, forgotten, keeps, old])
        await eventually(async () => expect(await service.sql(open)).toEqual([]));
      await converged();
    },
    240_000,
  );
});
