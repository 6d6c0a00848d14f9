import { expect } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually, type TestDatabase, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { createEventBench, type Emitter, emit, type Subscriber } from './event-bench.ts';
import { runSchedule } from './run-schedule.ts';

export const query = async <Row>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
};

export const emitAll = async (emitter: Emitter, ...numbers: number[]) => {
  for (const n of numbers) await emit(emitter, n);
};

/** Listeners whose effects are rows, in databases that a test can put back. */
export const createEffectsBench = (nats: () => TestNats) => {
  const bench = createEventBench(nats);
  /** A database with a table for effects, which nothing keeps from holding one twice. */
  const withEffects = async (): Promise<TestDatabase> => {
    const database = await bench.database();
    await query(database.ownerUrl, 'CREATE TABLE effects (n int)');
    return database;
  };
  const startRecording = async ({ url }: TestDatabase): Promise<Subscriber> => {
    const subscriber: Subscriber = await bench.startSubscriber(async ({ n }, { once }) => {
      await subscriber.client.$transaction((tx) =>
        once(tx, async () => {
          if (n < 0) throw new Error('never');
          await tx.$executeRawUnsafe('INSERT INTO effects VALUES ($1)', n);
        }),
      );
    }, url);
    return subscriber;
  };
  const effects = async ({ url }: TestDatabase) =>
    (await query<{ n: number }>(url, 'SELECT n FROM effects ORDER BY n')).map(({ n }) => n);
  const handled = (database: TestDatabase, ...numbers: number[]) =>
    eventually(async () => expect(await effects(database)).toEqual(numbers));
  const search = ({ url }: TestDatabase) =>
    runSchedule({ sql: (text, ...values) => query(url, text, values) }, 'kit-find-lost-events');
  const replays = ({ url }: TestDatabase) =>
    query<{ state: string }>(url, `SELECT state FROM messaging.tasks WHERE name = 'kit-replay-event'`);
  const acknowledged = async (upTo: number) => {
    const other = await connect({ servers: nats().servers });
    const manager = await jetstreamManager(other);
    await eventually(async () => {
      const { ack_floor } = await manager.consumers.info('EVT_status', 'archiver__thing-happened');
      expect(ack_floor.stream_seq).toBeGreaterThanOrEqual(upTo);
    });
    await other.close();
  };
  return { ...bench, withEffects, startRecording, effects, handled, search, replays, acknowledged };
};
