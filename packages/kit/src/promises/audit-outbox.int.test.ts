import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEventBench, type Emitter, happened, unpublished } from '../test-support/event-bench.ts';
import { runSchedule } from '../test-support/run-schedule.ts';

const STREAM = 'EVT_status';

describe.each(BROKERS)('the audit of the outbox, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createEventBench(() => nats);
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  /** Events of that age; those of an hour ago leave late. */
  const save = async (emitter: Emitter, count: number, age = '0 s') => {
    await emitter.sql(
      `INSERT INTO messaging.outbox (id, subject, payload, created_at)
       SELECT messaging.id_at(now() - $2::interval), $1, jsonb_build_object('n', n), now() - $2::interval
       FROM generate_series(1, $3) AS n`,
      ...[happened.subject, age, count],
    );
    emitter.kit.messaging.wake();
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
  };
  /** As if a new leader lacked them: nothing reconnects. */
  const lose = async (...seqs: number[]) => {
    const connection = await connect({ servers: nats.servers });
    const manager = await jetstreamManager(connection);
    for (const seq of seqs) await manager.streams.deleteMessage(STREAM, seq);
    await connection.close();
  };
  const audit = (emitter: Emitter) => runSchedule(emitter, 'kit-audit-outbox');
  /** Where those were that were published again. */
  const publishedAgain = async (emitter: Emitter) => {
    const rows = await emitter.sql<{ n: number }>(
      `SELECT (payload ->> 'n')::int AS n FROM messaging.outbox WHERE waiting_since IS NOT NULL ORDER BY 1`,
    );
    return rows.map(({ n }) => n);
  };

  it('finds every event that is missing among thousands, not only the newest, and none that is there', async () => {
    const emitter = await bench.startEmitter();
    await save(emitter, 2_300);
    const order = await emitter.sql<{ n: number; seq: number }>(
      `SELECT (payload ->> 'n')::int AS n, stream_seq::int AS seq FROM messaging.outbox ORDER BY 1`,
    );
    const lost = [5, 1_200, 1_201, 2_299];
    await lose(...order.filter(({ n }) => lost.includes(n)).map(({ seq }) => seq));
    await audit(emitter);
    expect(await publishedAgain(emitter)).toEqual(lost);
    expect((await emitter.kit.metrics.eventsPublishedAgain.get()).values).toMatchObject([{ value: 4 }]);
  });

  it('continues at the end of its last run, however long ago that was', async () => {
    const emitter = await bench.startEmitter();
    await save(emitter, 1_500, '2 days');
    await audit(emitter);
    await save(emitter, 20, '1 day');
    const [{ seq } = { seq: 0 }] = await emitter.sql<{ seq: number }>(
      `SELECT min(stream_seq)::int AS seq FROM messaging.outbox WHERE created_at > now() - interval '25 hours'`,
    );
    await lose(seq + 3);
    await audit(emitter);
    expect(await publishedAgain(emitter)).toHaveLength(1);
  });

  it('finds an event published long after it was saved, behind the position of the audit', async () => {
    const emitter = await bench.startEmitter();
    await save(emitter, 10, '1 hour');
    await audit(emitter);
    await save(emitter, 10, '2 hours');
    await lose(15);
    await audit(emitter);
    expect(await publishedAgain(emitter)).toHaveLength(1);
  });

  it('finds an event whose position the stream gave to another one since the last audit', async () => {
    const emitter = await bench.startEmitter();
    await save(emitter, 4);
    await emitter.sql(`UPDATE messaging.outbox SET published_at = now() - interval '3 hours'`);
    await audit(emitter);
    await save(emitter, 4);
    const positionOf = (n: number) =>
      `(SELECT stream_seq FROM messaging.outbox WHERE stream_seq > 4 AND payload ->> 'n' = '${n}')`;
    await emitter.sql(`UPDATE messaging.outbox SET stream_seq = ${positionOf(3)} WHERE stream_seq = 2`);
    await audit(emitter);
    expect(await publishedAgain(emitter)).toEqual([2, 3]);
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await audit(emitter);
    expect((await emitter.kit.metrics.eventsPublishedAgain.get()).values).toMatchObject([{ value: 2 }]);
  });

  it('begins again with another stream of the same name', async () => {
    const emitter = await bench.startEmitter();
    await save(emitter, 10, '1 hour');
    await audit(emitter);
    const { seen } = await bench.startCounting();
    await eventually(() => expect(seen).toHaveLength(10));
    await nats.wipe();
    await eventually(async () => expect(await publishedAgain(emitter)).toHaveLength(10));
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    expect(seen).toHaveLength(10);
  });

  it('takes nothing for lost that is published while it looks', async () => {
    const emitter = await bench.startEmitter();
    const audits = (async () => {
      for (let run = 0; run < 4; run += 1) await audit(emitter);
    })();
    for (let batch = 0; batch < 8; batch += 1) await save(emitter, 300);
    await audits;
    expect(await publishedAgain(emitter)).toEqual([]);
  });
});
